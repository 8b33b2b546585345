// The effect of stored transactions on the latency of payments and searches: an installation with
// very many (COFRE_BENCH_STORED), beside one with only its own, in turn.
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { inPairs, report } from './lib/compare.mjs'
import { startEngines } from './lib/engines.mjs'
import { drive, repeated } from './lib/load.mjs'
import { startProduct } from './lib/processes.mjs'
import { startReceiver } from './lib/receiver.mjs'
import { pay, payOnce, signedGet } from './lib/requests.mjs'
import { WINDOW, seedPayments, seedWindow } from './lib/seed.mjs'

const STORED = Number(process.env.COFRE_BENCH_STORED ?? 2_000_000)
/** Payments in the searched window: the same number on both sides. */
const WINDOW_PAYMENTS = 200
/** Requests by number of connections. With one, no request waits for another. */
const COUNTS = { 1: 200, 16: 400, 64: 500 }
const [FROM, UNTIL] = [WINDOW.fromMs, WINDOW.untilMs].map((ms) =>
  encodeURIComponent(new Date(ms).toISOString()),
)
const BY_DATE = `/transactions?initial-order-date=${FROM}&final-order-date=${UNTIL}&page=1`
/** Each measures an installation once: the median latency in milliseconds. */
const MEASURES = {
  payment,
  'search by code': (product, load) => search(product, `/transactions/${product.code}`, load),
  'search by date, first page': (product, load) => search(product, BY_DATE, load),
}

const receiver = await startReceiver()
for await (const { name, environ } of startEngines()) {
  const empty = await install(await environ('own'))
  const filled = await install(await environ('filled'))
  await seedPayments(filled, STORED)
  // Time for closed connections, and for pending disk writes.
  await pause(2000)
  const rows = []
  for (const [connections, count] of Object.entries(COUNTS))
    for (const [measure, p50Ms] of Object.entries(MEASURES)) {
      const load = { connections: Number(connections), count }
      const sides = { ours: () => p50Ms(filled, load), limit: () => p50Ms(empty, load) }
      // A warm-up: a process that has just started, or a new database, is slower.
      for (const side of Object.values(sides)) await side()
      const what = `${name}, ${STORED} stored: ${measure}, ms, ${connections} at once`
      rows.push(await inPairs(what, { ...sides, target: '<= 1.3' }))
    }
  report(`growth-${name.toLowerCase()}`, rows)
  for (const { stop } of [empty, filled]) await stop()
}
receiver.close()

/** The product with one notified order, whose code searches request, and the window's payments. */
async function install(environ) {
  const product = await startProduct(environ)
  const code = await payOnce(product, receiver.url)
  await receiver.received(1)
  await seedWindow(product, WINDOW_PAYMENTS)
  return { ...product, code }
}

/** Waits until all are notified, so that the next measurement has the machine to itself. */
async function payment(product, load) {
  const { p50Ms } = await pay(product, { ...load, notificationUrl: receiver.url })
  await receiver.received(load.count)
  return p50Ms
}

async function search({ ports }, path, { count, connections }) {
  const requests = repeated(signedGet(path)).take(count)
  return (await drive({ port: ports.api, connections, requests, expectStatus: 200 })).p50Ms
}
