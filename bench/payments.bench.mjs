// Durable token payments and searches a second over HTTP, beside a bare Hono that reads, verifies and answers the same.
import process from 'node:process'
import { digits, inPairs, report, row } from './lib/compare.mjs'
import { drive } from './lib/load.mjs'
import { ENGINES } from './lib/engines.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { makeTokens, paymentRequest, signedGet } from './lib/requests.mjs'

const SECONDS = 2
/** By the number of connections; a measurement ends when they are used up. */
const TOKENS = { 1: 800, 16: 2500, 64: 3000 }
const pairs = Number(process.env.COFRE_BENCH_PAIRS ?? 5)

const bare = await startPeer('signed-body')
const bareGet = await startPeer('signed-get')
const rows = []
const latencies = []

for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct(database.environ)
  const vaultUrl = `http://127.0.0.1:${product.ports.VAULT}`
  for (const connections of [1, 16, 64]) {
    let last
    const payments = await inPairs({
      pairs,
      async ours() {
        const tokens = await makeTokens(vaultUrl, TOKENS[connections], { deposited: true })
        const requests = tokens.map((token) => paymentRequest(token))
        last = await drive({
          port: product.ports.API,
          connections,
          seconds: SECONDS,
          next: () => requests.pop(),
          expectStatus: 201,
        })
        return last.perSecond
      },
      async limit() {
        const request = paymentRequest('x'.repeat(560))
        const { perSecond } = await drive({
          port: bare.port,
          connections,
          seconds: SECONDS,
          next: () => request,
          expectStatus: 201,
        })
        return perSecond
      },
    })
    const target = connections === 64 ? engine.paymentTarget : ''
    rows.push(row(`${engine.name}: token payments/s, ${connections} connections`, payments, target))
    latencies.push({
      what: `${engine.name}: token payment, ${connections} connections`,
      'p50 ms': digits(last.p50Ms),
      'p99 ms': digits(last.p99Ms),
    })
  }
  rows.push(
    row(`${engine.name}: search by code/s, 64 connections`, await searches(product), '>= 0.6'),
  )
  await product.stop()
  await database.stop()
}
await bare.stop()
await bareGet.stop()
report('payments', rows)
report('payment-latency', latencies)

async function searches(product) {
  const vaultUrl = `http://127.0.0.1:${product.ports.VAULT}`
  const [token] = await makeTokens(vaultUrl, 1, { deposited: true })
  const { path, ...request } = paymentRequest(token)
  const response = await fetch(`http://127.0.0.1:${product.ports.API}${path}`, request)
  const { transaction } = await response.json()
  const search = signedGet(`/transactions/${transaction.code}`)
  const rate = async (port) => {
    const load = { port, connections: 64, seconds: SECONDS, next: () => search, expectStatus: 200 }
    return (await drive(load)).perSecond
  }
  return await inPairs({
    pairs,
    ours: () => rate(product.ports.API),
    limit: () => rate(bareGet.port),
  })
}
