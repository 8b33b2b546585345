// Durable token payments and searches by code a second over HTTP, and the latency of payments,
// beside a bare program that does the same durable work on the same engine. The shop of these
// payments has no address that can be found, so that none is notified while they are made; how many
// are made while their shop is notified of each is measured besides.
import './lib/cleanup.mjs'
import { compare, counted, inPairs, measureInTurn, medianRow, report, row } from './lib/compare.mjs'
import { openPostgresCommits, openSqliteCommits } from './lib/durable-commits.mjs'
import { ENGINES } from './lib/engines.mjs'
import { ask, drive, repeated } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { startReceiver } from './lib/receiver.mjs'
import { untilQuiet } from './lib/quiet.mjs'
import { barePayments, pay, payOnce, signedGet } from './lib/requests.mjs'
import { PAIRS } from './lib/settings.mjs'

const SECONDS = 1.5
const CONNECTIONS = [1, 16, 64]
/** By engine and number of connections; a measurement ends when they are used up. */
const TOKENS = {
  SQLite: { 1: 1200, 16: 5000, 64: 5000 },
  PostgreSQL: { 1: 600, 16: 1500, 64: 1500 },
}
const BARE_PAYMENTS = { 1: 5000, 16: 20_000, 64: 20_000 }
const NOTIFIED = { SQLite: 2000, PostgreSQL: 1000 }
const WARM_UP = 500
const TARGETS = { payments: '>= 0.6', search: '>= 0.7', p50: '<= 1.5', p99: '<= 4' }

const rows = []
const latencies = []
const limits = []

for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct(database.environ)
  const bare = await startPeer('payments', await database.bare('bare_payments'))
  const sides = { engine, product, bare }
  await pay(product, { count: WARM_UP, connections: 64 })
  await payBare(bare, { count: WARM_UP, connections: 64 })
  for (const connections of CONNECTIONS) await comparePayments(sides, connections)
  for (const connections of CONNECTIONS) await compareSearches(sides, connections)
  await product.stop()
  await bare.stop()
  await measureNotified(engine, database)
  await measureCommits(engine, database)
  await database.stop()
}
report('payments', rows)
report('payment-latency', latencies)
report('payment-limits', limits)

async function comparePayments({ engine, product, bare }, connections) {
  const count = TOKENS[engine.name][connections]
  const bareCount = BARE_PAYMENTS[connections]
  const load = { connections, seconds: SECONDS }
  const measured = await measureInTurn(PAIRS, [
    () => pay(product, { ...load, count }),
    async () => {
      // Cofre's index of payments is late by now, and would work beside the bare program.
      await untilQuiet(product)
      return await payBare(bare, { ...load, count: bareCount })
    },
  ])
  const pairsOf = (figure) => measured.map((pair) => pair.map((side) => side[figure]))
  const at = counted(connections, 'connection')
  const payments = compare(pairsOf('perSecond'))
  const target = connections === 64 ? TARGETS.payments : ''
  rows.push(row(`${engine.name}: token payments/s, ${at}`, payments, target))
  const p50 = compare(pairsOf('p50Ms'))
  const p50Target = connections === 1 ? TARGETS.p50 : ''
  latencies.push(row(`${engine.name}: token payment, median ms, ${at}`, p50, p50Target))
  const p99 = compare(pairsOf('p99Ms'))
  latencies.push(row(`${engine.name}: token payment, 99th percentile ms, ${at}`, p99, ''))
  if (connections !== 16) return
  const tail = compare(measured.map(([{ p99Ms, p50Ms }]) => [p99Ms, p50Ms]))
  const what = `${engine.name}: token payment, 99th percentile beside the median, ms, ${at}`
  latencies.push(row(what, tail, TARGETS.p99))
}

async function payBare(bare, { count, ...load }) {
  return await drive({ port: bare.port, requests: barePayments(count), ...load })
}

async function compareSearches({ engine, product, bare }, connections) {
  const [search, bareSearch] = [await payOnce(product), await payBareOnce(bare)].map((code) =>
    signedGet(`/transactions/${code}`),
  )
  await untilQuiet(product)
  const rate = async (port, request) => {
    const requests = repeated(request)
    const load = { connections, seconds: SECONDS, requests, expectStatus: 200 }
    return (await drive({ port, ...load })).perSecond
  }
  const searches = await inPairs({
    ours: () => rate(product.ports.API, search),
    limit: () => rate(bare.port, bareSearch),
  })
  const at = counted(connections, 'connection')
  const target = connections === 64 ? TARGETS.search : ''
  rows.push(row(`${engine.name}: search by code/s, ${at}`, searches, target))
}

/** Pays once, and resolves to the transaction's code. */
async function payBareOnce({ port }) {
  const [{ path, ...request }] = barePayments(1)
  const { transaction } = await ask(`http://127.0.0.1:${port}${path}`, request)
  return transaction.code
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
