// Payments that go on while one database server takes another's place: how long they waited, how
// many were refused, and whether everything that was acknowledged is there afterwards.
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { digits } from './compare.mjs'
import { findParts } from './kept-payments.mjs'
import { payment, signedPayment } from './requests.mjs'
import { within } from './within.mjs'

const BUYERS = 16
const BEFORE_MS = 5000
const AFTER_MS = 5000
const PATIENCE_MS = 120_000
/** A shop that is refused asks again a little later. */
const REFUSED_PAUSE_MS = 100
const CARD = { number: '4111111111111111', cvv: '737', 'expiration-date': '2030-12' }

/**
 * Pays through a switch, and looks at what is left.
 * @param change - Makes the switch; resolves when another server takes writes.
 * @param urlAfter - Of the server that takes writes afterwards.
 */
export async function payThrough({ product, change, urlAfter }) {
  const load = startLoad(product.ports.API)
  await untilPaid(load, 0)
  await pause(BEFORE_MS)
  const startedAt = performance.now()
  await change()
  const changedAt = performance.now()
  await untilPaid(load, changedAt)
  await pause(AFTER_MS)
  await load.stop()
  const parts = await findParts(urlAfter, load.acknowledged)
  const incomplete = parts.filter(({ lost }) => lost > 0)
  if (incomplete.length > 0) {
    const counts = incomplete.map(({ name, lost, checked }) => `${name} of ${lost} of ${checked}`)
    throw new Error(`acknowledged payments are lost: ${counts.join(', ')}`)
  }
  return {
    changeMs: changedAt - startedAt,
    longestGapMs: longestGap(load.acknowledged.map(({ at }) => at)),
    acknowledged: load.acknowledged.length,
    pending: load.acknowledged.filter(({ status }) => status === 'PENDING').length,
    answers: load.answers,
    parts,
  }
}

/** Rows of the report. */
export function switchRows(what, result) {
  const { changeMs, longestGapMs, acknowledged, pending, answers, parts } = result
  const others = Object.entries(answers).filter(([status]) => !['201', '503'].includes(status))
  return [
    { what: `${what}: until another server took writes, s`, value: digits(changeMs / 1000) },
    {
      what: `${what}: longest time without a payment of ${BUYERS} buyers, s`,
      value: digits(longestGapMs / 1000),
    },
    {
      what: `${what}: payments acknowledged (as PENDING), refused 503, answered otherwise`,
      value: `${acknowledged} (${pending}), ${answers[503] ?? 0}, ${others.map(([status, count]) => `${count} x ${status}`).join(' ') || 0}`,
    },
    {
      what: `${what}: acknowledged payments checked for ${parts.map(({ name }) => name).join(', ')}`,
      value: parts.map(({ checked }) => checked).join(', '),
    },
    {
      what: `${what}: of these lost`,
      value: parts.map(({ lost }) => lost).join(', '),
    },
  ]
}

async function untilPaid(load, sinceMs) {
  const isPaid = () => load.acknowledged.at(-1)?.at >= sinceMs
  await within(PATIENCE_MS, 'payment', isPaid).catch((cause) => {
    throw new Error(`no payment among the answers ${JSON.stringify(load.answers)}`, { cause })
  })
}

function startLoad(port) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: BUYERS })
  const acknowledged = []
  const answers = {}
  let isOver = false
  const buy = async () => {
    while (!isOver) {
      const { status, text } = await send(agent, port)
      answers[status] = (answers[status] ?? 0) + 1
      if (status === 201) acknowledged.push(acknowledgement(text))
      else await pause(REFUSED_PAUSE_MS)
    }
  }
  const buying = Array.from({ length: BUYERS }, buy)
  return {
    acknowledged,
    answers,
    async stop() {
      isOver = true
      await Promise.all(buying)
      agent.destroy()
    },
  }
}

function acknowledgement(text) {
  const { code, status } = JSON.parse(text).transaction
  return { code, status, at: performance.now(), answeredAtMs: Date.now() }
}

function send(agent, port) {
  const order = payment(undefined, 'https://shop.example/notifications')
  order.payer.ip = '203.0.113.9'
  order.charge[0].currency = 'BRL'
  order.charge[0]['payment-info'] = { installments: 1, 'credit-card': CARD }
  const { method, path, headers, body } = signedPayment(order)
  return new Promise((resolve) => {
    const request = http.request(
      { agent, port, host: '127.0.0.1', method, path, headers },
      (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }),
        )
      },
    )
    request.once('error', (error) => resolve({ status: error.code ?? error.message, text: '' }))
    request.end(body)
  })
}

function longestGap(times) {
  return times.reduce((longest, at, i) => Math.max(longest, at - (times[i - 1] ?? at)), 0)
}
