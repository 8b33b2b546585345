// What the one thread of Cofre does with its time under load: how much of it is SQL, commits,
// crypto, HTTP, and how much is spread over Cofre's own functions.
import './lib/cleanup.mjs'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive, repeated } from './lib/load.mjs'
import { INSTANT_ACQUIRER, startProduct } from './lib/processes.mjs'
import { describeShares } from './lib/profile-shares.mjs'
import { makePayments, makeTokens, payOnce, signedGet } from './lib/requests.mjs'
import { within } from './lib/within.mjs'

const RECORDER = ['--import', new URL('lib/profile-record.mjs', import.meta.url).href]
const DEADLINE_MS = 60_000

const rows = []
for (const engine of ENGINES) {
  const database = await engine.start()
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'profile-')), 'profile')
  const environ = { ...database.environ, COFRE_BENCH_PROFILE: file }
  const product = await startProduct(environ, { nodeOptions: [...INSTANT_ACQUIRER, ...RECORDER] })
  for (const [what, load] of Object.entries(await loads(product)))
    rows.push({
      what: `${engine.name}: where the time goes, ${what}`,
      value: await profiled(product, file, load),
    })
  await product.stop()
  await database.stop()
}
report('profile', rows)

async function loads(product) {
  const { API, VAULT } = product.ports
  const search = signedGet(`/transactions/${await payOnce(product)}`)
  return {
    'token payments, 64 connections': {
      drive: { port: API, connections: 64 },
      count: 6000,
      requests: (count) => makePayments(product, count),
    },
    'search by code, 64 connections': {
      drive: { port: API, connections: 64, expectStatus: 200 },
      count: 20_000,
      requests: (count) => repeated(search).take(count),
    },
    'deposits, 16 connections': {
      drive: { port: VAULT, connections: 16 },
      count: 4000,
      requests: (count) => deposits(product, count),
    },
  }
}

async function deposits(product, count) {
  const tokens = await makeTokens(product, count, { deposited: false })
  return tokens.map((body) => ({ method: 'POST', path: '/direct-tokens', body })).values()
}

/** A quarter of the requests come before, for what has just started. */
async function profiled({ child }, file, { drive: load, count, requests }) {
  await drive({ ...load, requests: await requests(count / 4) })
  const measured = await requests(count)
  child.kill('SIGUSR2')
  await drive({ ...load, requests: measured })
  child.kill('SIGUSR2')
  await within(DEADLINE_MS, 'the profile', () => existsSync(file))
  const shares = describeShares(JSON.parse(readFileSync(file, 'utf8')))
  rmSync(file)
  return shares
}
