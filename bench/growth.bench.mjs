// What a table that grows does to the latency of a payment and of searches: none, many and very many stored transactions.
import process from 'node:process'
import { digits, median, report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { startProduct } from './lib/processes.mjs'
import { makeTokens, payOnce, paymentRequest, signedGet } from './lib/requests.mjs'
import { seedTransactions } from './lib/seed.mjs'

const SIZES = (process.env.COFRE_BENCH_SIZES ?? '0,100000,2000000').split(',').map(Number)
const ROUNDS = 5
const PAYMENTS = 300
const SEARCHES = 1000

const rows = []
for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct(database.environ)
  // Once for nothing: a process that has just started is slower.
  await measure(product)
  const latencies = new Map()
  let stored = 0
  for (const size of SIZES) {
    await seedTransactions({ product, environ: database.environ, from: stored, until: size })
    stored = size
    const measured = await measure(product)
    for (const [what, p50Ms] of Object.entries(measured)) {
      const first = latencies.get(what) ?? p50Ms
      latencies.set(what, first)
      rows.push({
        what: `${engine.name}: ${what}`,
        stored: size,
        'p50 ms': digits(p50Ms),
        ratio: digits(p50Ms / first),
        target: '<= 1.3',
      })
    }
  }
  await product.stop()
  await database.stop()
}
report('growth', rows)

/** Median latencies with one connection, so that nothing waits for anything else. */
async function measure(product) {
  const vaultUrl = `http://127.0.0.1:${product.ports.VAULT}`
  // As many are found at every size: those of this very measurement.
  const since = encodeURIComponent(new Date().toISOString())
  const times = { payment: [], 'search by code': [], 'search by date, first page': [] }
  for (let round = 0; round < ROUNDS; round++) {
    const tokens = await makeTokens(vaultUrl, PAYMENTS, { deposited: true })
    const requests = tokens.map((token) => paymentRequest(token))
    const code = await payOnce(product)
    times.payment.push(await p50(product, 201, () => requests.pop()))
    times['search by code'].push(
      await p50(product, 200, counted(SEARCHES, signedGet(`/transactions/${code}`))),
    )
    const byDate = `/transactions?initial-order-date=${since}&page=1`
    times['search by date, first page'].push(
      await p50(product, 200, counted(SEARCHES / 4, signedGet(byDate))),
    )
  }
  return Object.fromEntries(Object.entries(times).map(([what, all]) => [what, median(all)]))
}

async function p50(product, expectStatus, next) {
  const load = { port: product.ports.API, connections: 1, seconds: 30, next, expectStatus }
  return (await drive(load)).p50Ms
}

function counted(count, request) {
  let left = count
  return () => (left-- > 0 ? request : undefined)
}
