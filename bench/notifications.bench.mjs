// Notifications delivered a second to a receiver on this machine, and the time from a status to its
// delivery.
import './lib/cleanup.mjs'
import { once } from 'node:events'
import http from 'node:http'
import { digits, median, report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { startProduct } from './lib/processes.mjs'
import { manyOf, makeTokens, paymentRequest } from './lib/requests.mjs'
import { within } from './lib/within.mjs'

const BACKLOG = 2000
const SINGLE = 30
const DEADLINE_MS = 60_000
const rows = []

for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct({ ...database.environ, COFRE_NOTIFY_INTERVAL: '5s' })
  const receiver = await startReceiver()

  receiver.isOpen = false
  await pay(product, BACKLOG, receiver.url)
  await receiver.openAndWaitFor(BACKLOG)
  rows.push({
    what: `${engine.name}: notifications/s of one store`,
    value: digits(receiver.perSecond()),
  })

  const delays = []
  for (let i = 0; i < SINGLE; i++) {
    receiver.reset()
    const [paidAt] = await pay(product, 1, receiver.url)
    await receiver.openAndWaitFor(1)
    delays.push(receiver.arrivals[0] - paidAt)
  }
  rows.push({
    what: `${engine.name}: ms from the answer of a payment to its notification, median`,
    value: digits(median(delays)),
  })
  await receiver.close()
  await product.stop()
  await database.stop()
}
report('notifications', rows)

/** Pays, and tells when each payment was answered. */
async function pay({ ports }, count, notificationUrl) {
  const tokens = await makeTokens(`http://127.0.0.1:${ports.VAULT}`, count, { deposited: true })
  return await manyOf(count, async (i) => {
    const { path, ...request } = paymentRequest(tokens[i], notificationUrl)
    const response = await fetch(`http://127.0.0.1:${ports.API}${path}`, request)
    if (response.status !== 201) throw new Error(await response.text())
    return performance.now()
  })
}

/** A shop that answers nothing while it is closed, and then everything. */
async function startReceiver() {
  const seen = new Set()
  const held = []
  const receiver = { isOpen: true, arrivals: [], url: '' }
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = () => {
        response.end()
        const id = request.headers['webhook-id']
        if (seen.has(id)) return
        seen.add(id)
        receiver.arrivals.push(performance.now())
      }
      if (receiver.isOpen) answer()
      else held.push(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${server.address().port}/n`
  receiver.reset = () => {
    seen.clear()
    receiver.arrivals = []
  }
  receiver.openAndWaitFor = async (count) => {
    receiver.isOpen = true
    for (const answer of held.splice(0)) answer()
    const haveArrived = () => receiver.arrivals.length >= count
    await within(DEADLINE_MS, `${count} notifications`, haveArrived)
  }
  receiver.perSecond = () =>
    ((receiver.arrivals.length - 1) * 1000) / (receiver.arrivals.at(-1) - receiver.arrivals[0])
  receiver.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return receiver
}
