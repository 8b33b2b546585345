// What the one thread of Cofre does with its time under load: how much of it is SQL, commits,
// crypto, HTTP, how much is spread over Cofre's own functions, and which functions take the most.
import './lib/cleanup.mjs'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { searchEach, startHoldingReceiver } from './lib/holding-receiver.mjs'
import { drive, repeated } from './lib/load.mjs'
import { INSTANT_ACQUIRER, startProduct } from './lib/processes.mjs'
import { describeFunctions, describeShares } from './lib/profile-shares.mjs'
import { untilQuiet } from './lib/quiet.mjs'
import { makePayments, makeTokens, pay, payOnce, signedGet } from './lib/requests.mjs'
import { within } from './lib/within.mjs'

const RECORDER = ['--import', new URL('lib/profile-record.mjs', import.meta.url).href]
const DEADLINE_MS = 60_000

const rows = []
for (const engine of ENGINES) {
  const database = await engine.start()
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'profile-')), 'profile')
  const environ = {
    ...database.environ,
    COFRE_BENCH_PROFILE: file,
    COFRE_NOTIFY_INTERVAL: '5s',
  }
  const product = await startProduct(environ, { nodeOptions: [...INSTANT_ACQUIRER, ...RECORDER] })
  const receiver = await startHoldingReceiver()
  for (const [what, load] of Object.entries(await loads(product, receiver))) {
    const profile = await profiled(product, file, load)
    rows.push(
      { what: `${engine.name}: where the time goes, ${what}`, value: describeShares(profile) },
      {
        what: `${engine.name}: its most expensive functions, ${what}`,
        value: describeFunctions(profile),
      },
    )
  }
  receiver.close()
  await product.stop()
  await database.stop()
}
report('profile', rows)

/**
 * By name. `prepare` gets so many requests ready, and resolves to what makes them; `tidyUp` follows
 * that.
 */
async function loads(product, receiver) {
  const { API, VAULT } = product.ports
  const arrivals = []
  const payments = (connections) => async (count) => {
    const requests = await makePayments(product, count)
    return () => drive({ port: API, connections, requests })
  }
  return {
    // First: a shop that does not answer, as that of the payments, is notified less.
    'notifications of one store': {
      count: 2000,
      async prepare(count) {
        receiver.hold()
        await pay(product, { count, connections: 32, notificationUrl: receiver.url })
        await untilQuiet(product)
        return async () => arrivals.push(...(await receiver.openAndWaitFor(count)))
      },
      tidyUp: () => searchEach(product, arrivals.splice(0)),
    },
    'token payments, 64 connections': { count: 6000, prepare: payments(64) },
    'token payments, 1 connection': { count: 600, prepare: payments(1) },
    'search by code, 64 connections': {
      count: 20_000,
      async prepare(count) {
        const search = signedGet(`/transactions/${await payOnce(product)}`)
        const requests = repeated(search).take(count)
        return () => drive({ port: API, connections: 64, expectStatus: 200, requests })
      },
    },
    'deposits, 16 connections': {
      count: 4000,
      async prepare(count) {
        const tokens = await makeTokens(product, count, { deposited: false })
        const requests = tokens.map((body) => ({ method: 'POST', path: '/direct-tokens', body }))
        return () => drive({ port: VAULT, connections: 16, requests: requests.values() })
      },
    },
  }
}

/** A quarter of the requests come before, for what has just started. */
async function profiled({ child }, file, { count, prepare, tidyUp }) {
  const warmUp = await prepare(count / 4)
  await warmUp()
  await tidyUp?.()
  const work = await prepare(count)
  child.kill('SIGUSR2')
  await work()
  child.kill('SIGUSR2')
  await tidyUp?.()
  await within(DEADLINE_MS, 'the profile', () => existsSync(file))
  const profile = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return profile
}
