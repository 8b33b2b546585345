// Notifications of one store delivered per second to a receiver on this machine, and the delay
// between a payment and its notification.
import { digits, median, report } from './lib/compare.mjs'
import { startEngines } from './lib/engines.mjs'
import { drive, untilQuiet } from './lib/load.mjs'
import { startProduct } from './lib/processes.mjs'
import { startReceiver } from './lib/receiver.mjs'
import { pay, signedGet } from './lib/requests.mjs'

const BACKLOG = 2000

const rows = []
for await (const { name, environ } of startEngines()) {
  const product = await startProduct({ ...(await environ('own')), COFRE_NOTIFY_INTERVAL: '5s' })
  const receiver = await startReceiver()
  const payAndReceive = async (count) => {
    await pay(product, { count, connections: 32, notificationUrl: receiver.url })
    const paidAt = performance.now()
    if (count > 1) await untilQuiet(product)
    const arrivals = await receiver.received(count)
    // A shop searches after a notification, which is repeated until then.
    const searches = arrivals.map(({ id }) => signedGet(`/transactions/${id.split('-')[0]}`))
    const load = { requests: searches.values(), connections: 32, expectStatus: 200 }
    await drive({ port: product.ports.api, ...load })
    return { ms: arrivals[0].at - paidAt, arrivals }
  }
  const rates = []
  for (let round = 0; round < 5; round++) {
    receiver.hold()
    rates.push(rateOf((await payAndReceive(BACKLOG)).arrivals))
  }
  const delays = []
  for (let i = 0; i < 30; i++) delays.push((await payAndReceive(1)).ms)
  const late = `${name}: ms from the answer of a payment to its notification, median`
  rows.push({ what: `${name}: notifications/s of one store`, ours: digits(median(rates)) })
  rows.push({ what: late, ours: digits(median(delays)) })
  receiver.close()
  await product.stop()
}
report('notifications', rows)

/** From the first arrival to the last, without those that were held. */
function rateOf(arrivals) {
  const sent = arrivals.filter(({ wasHeld }) => !wasHeld)
  return ((sent.length - 1) * 1000) / (sent.at(-1).at - sent[0].at)
}
