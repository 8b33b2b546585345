// Notifications delivered a second to a receiver on this machine, beside a bare program that sends
// signed requests from a durable queue; and the time from a status to its delivery.
import './lib/cleanup.mjs'
import { digits, inPairs, median, report, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { searchEach, startHoldingReceiver } from './lib/holding-receiver.mjs'
import { ask } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { untilQuiet } from './lib/quiet.mjs'
import { pay } from './lib/requests.mjs'

const BACKLOG = 2000
const SINGLE = 30
const TARGET = '>= 0.5'
const rows = []

for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct({ ...database.environ, COFRE_NOTIFY_INTERVAL: '5s' })
  const bare = await startPeer('notifier', await database.bare('bare_notifier'))
  const receiver = await startHoldingReceiver()
  const notificationUrl = receiver.url

  const perSecond = await inPairs({
    async ours() {
      receiver.hold()
      await pay(product, { count: BACKLOG, connections: 32, notificationUrl })
      await untilQuiet(product)
      const arrivals = await receiver.openAndWaitFor(BACKLOG)
      await searchEach(product, arrivals)
      return rateOf(arrivals)
    },
    async limit() {
      await untilQuiet(product)
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
    await searchEach(product, arrivals)
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

/** From the first arrival to the last, without those that had been sent before and were held. */
function rateOf(arrivals) {
  const sent = arrivals.filter(({ wasHeld }) => !wasHeld)
  return ((sent.length - 1) * 1000) / (sent.at(-1).at - sent[0].at)
}
