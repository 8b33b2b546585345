// Notifications delivered a second to a receiver on this machine, beside a bare program that sends
// signed requests from a durable queue; and the time from a status to its delivery.
import './lib/cleanup.mjs'
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { digits, inPairs, median, report, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { ask, drive } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { pay, signedGet } from './lib/requests.mjs'
import { within } from './lib/within.mjs'

const BACKLOG = 2000
const SINGLE = 30
const DEADLINE_MS = 60_000
/** After paying, for the index that finds the payments: it is no part of a delivery. */
const REST_MS = 2000
const TARGET = '>= 0.5'
const rows = []

for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct({ ...database.environ, COFRE_NOTIFY_INTERVAL: '5s' })
  const bare = await startPeer('notifier', await database.bare('bare_notifier'))
  const receiver = await startReceiver()
  const notificationUrl = receiver.url

  const perSecond = await inPairs({
    async ours() {
      receiver.hold()
      await pay(product, { count: BACKLOG, connections: 32, notificationUrl })
      await pause(REST_MS)
      const arrivals = await receiver.openAndWaitFor(BACKLOG)
      await search(product, arrivals)
      return rateOf(arrivals)
    },
    async limit() {
      const body = JSON.stringify({ url: notificationUrl, count: BACKLOG })
      const sent = ask(`http://127.0.0.1:${bare.port}/`, { method: 'POST', body })
      const arrivals = await receiver.openAndWaitFor(BACKLOG)
      await sent
      return rateOf(arrivals)
    },
  })
  rows.push(row(`${engine.name}: notifications/s of one store`, perSecond, TARGET))

  const delays = []
  for (let i = 0; i < SINGLE; i++) {
    await pay(product, { count: 1, connections: 1, notificationUrl })
    const paidAt = performance.now()
    const arrivals = await receiver.openAndWaitFor(1)
    await search(product, arrivals)
    delays.push(arrivals[0].at - paidAt)
  }
  rows.push({
    what: `${engine.name}: ms from the answer of a payment to its notification, median`,
    value: digits(median(delays)),
  })
  receiver.close()
  await bare.stop()
  await product.stop()
  await database.stop()
}
report('notifications', rows)

/** From the first arrival to the last. */
function rateOf(arrivals) {
  return ((arrivals.length - 1) * 1000) / (arrivals.at(-1).at - arrivals[0].at)
}

/** As a shop does after each notification of a payment, which is sent again until then. */
async function search({ ports }, arrivals) {
  const codes = arrivals.map(({ id }) => id.split('-')[0])
  const requests = codes.map((code) => signedGet(`/transactions/${code}`)).values()
  await drive({ port: ports.API, requests, connections: 32, expectStatus: 200 })
}

/** A shop that answers nothing while it holds, and then everything. */
async function startReceiver() {
  const seen = new Set()
  const held = []
  const arrivals = []
  let isOpen = false
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = () => {
        response.end()
        const id = request.headers['webhook-id']
        if (seen.has(id)) return
        seen.add(id)
        arrivals.push({ id, at: performance.now() })
      }
      if (isOpen) answer()
      else held.push(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/n`,
    hold: () => (isOpen = false),
    /** Which of so many notifications arrived when, since they were last waited for. */
    async openAndWaitFor(count) {
      isOpen = true
      for (const answer of held.splice(0)) answer()
      await within(DEADLINE_MS, `${count} notifications`, () => arrivals.length >= count)
      return arrivals.splice(0)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
