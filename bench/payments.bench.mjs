// Durable token payments and searches by code a second over HTTP, beside a bare Hono that reads,
// verifies and answers the same. The shop of these payments has no address that can be found, so
// that none is notified while they are made; how many are made while their shop is notified of each
// is measured besides.
import './lib/cleanup.mjs'
import { digits, inPairs, median, medianRow, report, row } from './lib/compare.mjs'
import { openPostgresCommits, openSqliteCommits } from './lib/durable-commits.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive, repeated } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { startReceiver } from './lib/receiver.mjs'
import { pay, payOnce, paymentRequest, signedGet } from './lib/requests.mjs'
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
function* manyBodies() {
  for (;;) yield* bodies
}

const bare = { body: await startPeer('signed-body'), get: await startPeer('signed-get') }
const rows = []
const latencies = []
const limits = []

for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct(database.environ)
  await pay(product, { count: WARM_UP, connections: 64 })
  for (const connections of CONNECTIONS) await comparePayments({ engine, product, connections })
  for (const connections of CONNECTIONS) await compareSearches({ engine, product, connections })
  await product.stop()
  await measureNotified(engine, database)
  await measureCommits(engine, database)
  await database.stop()
}
const echo = await startPeer('echo')
limits.unshift(
  await inRounds('bare Hono echoing the same bodies, 64 connections, requests/s', () =>
    rate(echo.port, { connections: 64, requests: manyBodies() }),
  ),
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
      const count = TOKENS[engine.name][connections]
      measured.push(await pay(product, { count, connections, seconds: SECONDS }))
      return measured.at(-1).perSecond
    },
    limit: () => rate(bare.body.port, { connections, requests: manyBodies() }),
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
  const searched = (port) =>
    rate(port, { connections, requests: repeated(search), expectStatus: 200 })
  const searches = await inPairs({
    ours: () => searched(product.ports.API),
    limit: () => searched(bare.get.port),
  })
  const what = `${engine.name}: search by code/s, ${connections} connections`
  rows.push(row(what, searches, connections === 64 ? '>= 0.6' : ''))
}

/** A product that has never failed to notify: one whose shop does not answer is notified less. */
async function measureNotified(engine, database) {
  const receiver = await startReceiver()
  const product = await startProduct(await database.another('notified'))
  const notificationUrl = receiver.url
  const round = async (count) => {
    const { perSecond } = await pay(product, { count, connections: 64, notificationUrl })
    await receiver.received(count)
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
  return medianRow(what, figures)
}

/** Requests a second. */
async function rate(port, load) {
  return (await drive({ port, seconds: SECONDS, ...load })).perSecond
}
