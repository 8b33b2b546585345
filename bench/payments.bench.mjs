// Durable token payments and searches by code a second over HTTP, beside a bare Hono that reads, verifies and answers the same.
import process from 'node:process'
import { digits, inPairs, report, row } from './lib/compare.mjs'
import { durableCommitsPerSecond } from './lib/durable-commits.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { makeTokens, payOnce, paymentRequest, signedGet } from './lib/requests.mjs'

const SECONDS = 2
const CONNECTIONS = [1, 16, 64]
/** By the number of connections; a measurement ends when they are used up. */
const TOKENS = { 1: 1500, 16: 6000, 64: 6000 }
/** As many bodies as the bare server gets in turn, so that it too parses another each time. */
const BARE_BODIES = 1000
const pairs = Number(process.env.COFRE_BENCH_PAIRS ?? 5)

const bodies = Array.from({ length: BARE_BODIES }, () => paymentRequest('x'.repeat(560)))
let sent = 0
const nextBody = () => bodies[sent++ % BARE_BODIES]

const bare = { body: await startPeer('signed-body'), get: await startPeer('signed-get') }
const rows = []
const latencies = []

for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct(database.environ)
  for (const connections of CONNECTIONS) await comparePayments({ engine, product, connections })
  for (const connections of CONNECTIONS) await compareSearches({ engine, product, connections })
  await product.stop()
  await database.stop()
}
const echo = await startPeer('echo')
const echoed = await rate(echo.port, 64, nextBody, 201)
await echo.stop()
await bare.body.stop()
await bare.get.stop()
report('payments', rows)
report('payment-latency', latencies)
report('payment-limits', [
  {
    what: 'bare Hono echoing the same bodies, 64 connections, requests/s',
    value: digits(echoed.perSecond),
  },
  {
    what: 'SQLite on the same disk, one durable commit after the other, commits/s',
    value: digits(durableCommitsPerSecond()),
  },
])

async function comparePayments({ engine, product, connections }) {
  const vaultUrl = `http://127.0.0.1:${product.ports.VAULT}`
  let last
  const payments = await inPairs({
    pairs,
    async ours() {
      const tokens = await makeTokens(vaultUrl, TOKENS[connections], { deposited: true })
      const requests = tokens.map((token) => paymentRequest(token))
      last = await rate(product.ports.API, connections, () => requests.pop(), 201)
      return last.perSecond
    },
    limit: async () => (await rate(bare.body.port, connections, nextBody, 201)).perSecond,
  })
  const what = `${engine.name}: token payments/s, ${connections} connections`
  rows.push(row(what, payments, connections === 64 ? engine.paymentTarget : ''))
  latencies.push({
    what: `${engine.name}: token payment, ${connections} connections`,
    'p50 ms': digits(last.p50Ms),
    'p99 ms': digits(last.p99Ms),
  })
}

async function compareSearches({ engine, product, connections }) {
  const search = signedGet(`/transactions/${await payOnce(product)}`)
  const searches = await inPairs({
    pairs,
    ours: async () => (await rate(product.ports.API, connections, () => search, 200)).perSecond,
    limit: async () => (await rate(bare.get.port, connections, () => search, 200)).perSecond,
  })
  const what = `${engine.name}: search by code/s, ${connections} connections`
  rows.push(row(what, searches, connections === 64 ? '>= 0.6' : ''))
}

function rate(port, connections, next, expectStatus) {
  return drive({ port, connections, seconds: SECONDS, next, expectStatus })
}
