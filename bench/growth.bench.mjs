// What stored transactions do to the latency of payments and searches: an installation that has
// many, and then very many, beside one that has none but its own, in turn.
import './lib/cleanup.mjs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { counted, inPairs, report, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { install } from './lib/installation.mjs'
import { drive, repeated } from './lib/load.mjs'
import { startReceiver } from './lib/receiver.mjs'
import { pay, signedGet } from './lib/requests.mjs'
import { WINDOW, countStored, seedPayments } from './lib/seed.mjs'
import { OF_SIZES, PAIRS, SIZES } from './lib/settings.mjs'

const OTHER_STORES = ['other-store-1', 'other-store-2', 'other-store-3']
/** Payments in the window that is searched: as many on both sides. */
const WINDOW_PAYMENTS = 200
const TARGET = '<= 1.3'
/**
 * After storing, for connections that were closed meanwhile and for what the disk has left to do.
 */
const REST_MS = 2000
/**
 * What is sent in turn, by the number of connections. With one, nothing waits for anything else.
 */
const LOADS = {
  1: { payments: 100, byCode: 400, searches: 200 },
  16: { payments: 400, byCode: 1200, searches: 300 },
  64: { payments: 500, byCode: 1200, searches: 300 },
}

const receiver = await startReceiver()
const FIRST = { receiver, windowPayments: WINDOW_PAYMENTS }
for (const engine of ENGINES) {
  const server = await engine.start()
  const empty = await install(server.environ, FIRST)
  const filled = await install(await server.another('filled'), FIRST)
  const rows = await grow(engine, { empty, filled })
  report(`growth-${engine.name.toLowerCase()}${OF_SIZES}`, rows)
  await empty.product.stop()
  await filled.product.stop()
  await server.stop()
}
await receiver.stop()

async function grow(engine, sides) {
  const rows = []
  for (const id of OTHER_STORES) sides.filled.product.createStore(id)
  for (const [run, size] of SIZES.entries()) {
    const startedAt = performance.now()
    const from = SIZES[run - 1] ?? 0
    await seedPayments(sides.filled, { run, from, until: size, others: OTHER_STORES })
    await pause(REST_MS)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.stdout.write(`${engine.name}: ${size} payments stored, in ${seconds} s\n`)
    // Once for nothing: what has just started, or has just been filled, is slower.
    await compareAll(sides, 1)
    const measured = await compareAll(sides, PAIRS)
    const stored = await countStored(sides.filled)
    const storedBeside = await countStored(sides.empty)
    for (const [what, pairs] of measured)
      rows.push({ ...row(`${engine.name}: ${what}`, pairs, TARGET), stored, storedBeside })
  }
  return rows
}

async function compareAll({ filled, empty }, pairs) {
  const measured = []
  for (const [connections, load] of Object.entries(LOADS))
    for (const [what, p50Ms] of Object.entries(measurements(Number(connections), load)))
      measured.push([
        `${what}, ms at ${counted(connections, 'connection')}`,
        await inPairs({ pairs, ours: () => p50Ms(filled), limit: () => p50Ms(empty) }),
      ])
  return measured
}

/** Each measures an installation once: the median latency in milliseconds. */
function measurements(connections, { payments, byCode, searches }) {
  const search = (count, path) => async (installation) => {
    const requests = repeated(signedGet(path(installation))).take(count)
    const { port } = installation
    return (await drive({ port, connections, requests, expectStatus: 200 })).p50Ms
  }
  const time = (ms) => encodeURIComponent(new Date(ms).toISOString())
  const range = `initial-order-date=${time(WINDOW.fromMs)}&final-order-date=${time(WINDOW.untilMs)}`
  return {
    /** Until all have been notified, so that the next measurement has the machine for itself. */
    async payment({ product }) {
      const load = { count: payments, connections, notificationUrl: receiver.url }
      const { p50Ms } = await pay(product, load)
      await receiver.received(payments)
      return p50Ms
    },
    'search by code': search(byCode, ({ code }) => `/transactions/${code}`),
    'search by date, first page': search(searches, () => `/transactions?${range}&page=1`),
    'search by date and status, first page': search(
      searches,
      () => `/transactions?${range}&status=COMPLETE&page=1`,
    ),
  }
}
