// Durable token payments and searches by code a second over HTTP, beside a bare Hono that reads,
// verifies and answers the same. The shop of these payments has no address that can be found, so
// that none is notified while they are made; how many are made while their shop is notified of each
// is measured besides.
import './lib/cleanup.mjs'
import { digits, inPairs, median, report, row } from './lib/compare.mjs'
import { openPostgresCommits, openSqliteCommits } from './lib/durable-commits.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { startReceiver } from './lib/receiver.mjs'
import { makeTokens, payOnce, paymentRequest, signedGet } from './lib/requests.mjs'
import { PAIRS } from './lib/settings.mjs'

const SECONDS = 1.5
const CONNECTIONS = [1, 16, 64]
/** By engine and number of connections; a measurement ends when they are used up. */
const TOKENS = {
  SQLite: { 1: 1200, 16: 5000, 64: 5000 },
  PostgreSQL: { 1: 600, 16: 1500, 64: 1500 },
}
const NOTIFIED = { SQLite: 2000, PostgreSQL: 1000 }
const WARM_UP = 500
/** As many bodies as the bare server gets in turn, so that it too parses another each time. */
const BARE_BODIES = 1000

const bodies = Array.from({ length: BARE_BODIES }, () => paymentRequest('x'.repeat(560)))
let sent = 0
const nextBody = () => bodies[sent++ % BARE_BODIES]

const bare = { body: await startPeer('signed-body'), get: await startPeer('signed-get') }
const rows = []
const latencies = []
const limits = []

for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct(database.environ)
  await pay(product, 64, { tokens: WARM_UP })
  for (const connections of CONNECTIONS) await comparePayments({ engine, product, connections })
  for (const connections of CONNECTIONS) await compareSearches({ engine, product, connections })
  await product.stop()
  await measureNotified(engine, database)
  await measureCommits(engine, database)
  await database.stop()
}
const echo = await startPeer('echo')
limits.unshift(
  await inRounds('bare Hono echoing the same bodies, 64 connections, requests/s', async () => {
    return (await rate(echo.port, 64, nextBody, 201)).perSecond
  }),
)
await echo.stop()
await bare.body.stop()
await bare.get.stop()
report('payments', rows)
report('payment-latency', latencies)
report('payment-limits', limits)

async function comparePayments({ engine, product, connections }) {
  const measured = []
  const payments = await inPairs({
    async ours() {
      measured.push(await pay(product, connections, { tokens: TOKENS[engine.name][connections] }))
      return measured.at(-1).perSecond
    },
    limit: async () => (await rate(bare.body.port, connections, nextBody, 201)).perSecond,
  })
  const what = `${engine.name}: token payments/s, ${connections} connections`
  rows.push(row(what, payments, connections === 64 ? engine.paymentTarget : ''))
  latencies.push({
    what: `${engine.name}: token payment, ${connections} connections`,
    'p50 ms': digits(median(measured.map(({ p50Ms }) => p50Ms))),
    'p99 ms': digits(median(measured.map(({ p99Ms }) => p99Ms))),
  })
}

async function compareSearches({ engine, product, connections }) {
  const search = signedGet(`/transactions/${await payOnce(product)}`)
  const searches = await inPairs({
    ours: async () => (await rate(product.ports.API, connections, () => search, 200)).perSecond,
    limit: async () => (await rate(bare.get.port, connections, () => search, 200)).perSecond,
  })
  const what = `${engine.name}: search by code/s, ${connections} connections`
  rows.push(row(what, searches, connections === 64 ? '>= 0.6' : ''))
}

/** A product that has never failed to notify: one whose shop does not answer is notified less. */
async function measureNotified(engine, database) {
  const receiver = await startReceiver()
  const product = await startProduct(await database.another('notified'))
  const notificationUrl = receiver.url
  const round = async (tokens) => {
    const { perSecond } = await pay(product, 64, { tokens, notificationUrl, seconds: 60 })
    await receiver.received(tokens)
    return perSecond
  }
  await round(WARM_UP)
  const what = `${engine.name}: token payments/s while the shop is notified, 64 connections`
  limits.push(await inRounds(what, () => round(NOTIFIED[engine.name])))
  await product.stop()
  await receiver.stop()
}

async function measureCommits(engine, database) {
  const commits = await (engine.name === 'SQLite'
    ? openSqliteCommits()
    : openPostgresCommits(database))
  const what = `${engine.name}: durable commits/s of one row each, one after the other`
  limits.push(await inRounds(what, () => commits.perSecond()))
  await commits.close()
}

/** The median and the spread of some measurements. */
async function inRounds(what, measure) {
  const figures = []
  for (let round = 0; round < PAIRS; round++) figures.push(await measure())
  const spread = [Math.min(...figures), Math.max(...figures)].map(digits).join(' - ')
  return { what, value: digits(median(figures)), spread }
}

async function pay({ ports }, connections, { tokens: count, notificationUrl, seconds = SECONDS }) {
  const tokens = await makeTokens(`http://127.0.0.1:${ports.VAULT}`, count, { deposited: true })
  const requests = tokens.map((token) => paymentRequest(token, notificationUrl))
  const next = () => requests.pop()
  return await drive({ port: ports.API, connections, seconds, next, expectStatus: 201 })
}

function rate(port, connections, next, expectStatus) {
  return drive({ port, connections, seconds: SECONDS, next, expectStatus })
}
