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
/** What a round sends, by the number of connections. */
const ROUND = {
  1: { payments: 300, searches: 1000 },
  16: { payments: 1200, searches: 3000 },
  64: { payments: 1500, searches: 3000 },
}

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

/** Median latencies by what is asked and over how many connections. With one, nothing waits for anything else. */
async function measure(product) {
  const all = []
  for (const [connections, round] of Object.entries(ROUND)) {
    const times = await measureRounds(product, { connections: Number(connections), ...round })
    all.push(
      ...Object.entries(times).map(([what, p50sMs]) => [
        `${what}, ${connections} connections`,
        median(p50sMs),
      ]),
    )
  }
  return Object.fromEntries(all)
}

async function measureRounds(product, { connections, payments, searches }) {
  const vaultUrl = `http://127.0.0.1:${product.ports.VAULT}`
  // As many are found at every size: those of this very measurement.
  const since = encodeURIComponent(new Date().toISOString())
  const byDate = signedGet(`/transactions?initial-order-date=${since}&page=1`)
  const p50 = (expectStatus, next) => p50Ms(product, { connections, expectStatus, next })
  const times = { payment: [], 'search by code': [], 'search by date, first page': [] }
  for (let round = 0; round < ROUNDS; round++) {
    const tokens = await makeTokens(vaultUrl, payments, { deposited: true })
    const requests = tokens.map((token) => paymentRequest(token))
    const byCode = signedGet(`/transactions/${await payOnce(product)}`)
    times.payment.push(await p50(201, () => requests.pop()))
    times['search by code'].push(await p50(200, counted(searches, byCode)))
    times['search by date, first page'].push(await p50(200, counted(searches / 4, byDate)))
  }
  return times
}

async function p50Ms(product, load) {
  return (await drive({ port: product.ports.API, seconds: 60, ...load })).p50Ms
}

function counted(count, request) {
  let left = count
  return () => (left-- > 0 ? request : undefined)
}
