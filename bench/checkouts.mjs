// Payments and searches of two built checkouts in turn, on both engines: requests a second and
// processor time of the process. With `payments`, payments alone in short turns: more pairs in the
// same time. Usage: node bench/checkouts.mjs <before> [<after> [payments]]
import './lib/cleanup.mjs'
import path from 'node:path'
import process from 'node:process'
import { compare, measureInTurn, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive, repeated } from './lib/load.mjs'
import { busySeconds } from './lib/process-tree.mjs'
import { startProduct } from './lib/processes.mjs'
import { makePayments, payOnce, signedGet } from './lib/requests.mjs'
import { PAIRS } from './lib/settings.mjs'

const CONNECTIONS = 32
const SEARCH_SECONDS = 2
const [before, after = '.', only] = process.argv.slice(2)
if (before === undefined || ![undefined, 'payments'].includes(only))
  throw new Error('usage: node bench/checkouts.mjs <before> [<after> [payments]]')
const TOKENS = only === undefined ? 1500 : 450
const WHAT = only === undefined ? ['payments', 'searches'] : ['payments']

for (const engine of ENGINES) {
  const started = []
  for (const checkout of [before, after]) {
    const database = await engine.start()
    const cofre = path.resolve(checkout, 'packages/server/dist/cofre.js')
    const product = await startProduct(database.environ, { cofre })
    const search = signedGet(`/transactions/${await payOnce(product)}`)
    started.push({ product, database, search })
    await pay(product)
  }
  const [base, changed] = started.map(({ product, search }) => async () => ({
    payments: await pay(product),
    ...(WHAT.includes('searches') && {
      searches: await measure(product, {
        requests: repeated(search),
        seconds: SEARCH_SECONDS,
        expectStatus: 200,
      }),
    }),
  }))
  const rounds = await measureInTurn(PAIRS, [changed, base])
  const rows = WHAT.flatMap((what) =>
    ['perSecond', 'processorMs'].map((figure) => {
      const pairs = rounds.map((round) => round.map((side) => side[what][figure]))
      const compared = compare(pairs)
      const { ours, limit, ratio, spread } = row('', compared)
      return {
        what: `${engine.name} ${what}, ${figure}`,
        before: limit,
        after: ours,
        ratio,
        interval: compared.interval,
        spread,
      }
    }),
  )
  console.table(rows)
  for (const { product, database } of started) {
    await product.stop()
    await database.stop()
  }
}
process.exit()

async function pay(product) {
  return await measure(product, { requests: await makePayments(product, TOKENS) })
}

async function measure({ child, ports }, load) {
  const busyBefore = busySeconds(child.pid)
  const { perSecond, count } = await drive({ port: ports.API, connections: CONNECTIONS, ...load })
  return { perSecond, processorMs: ((busySeconds(child.pid) - busyBefore) * 1000) / count }
}
