// Payments that go on while one database server takes another's place: how long they waited, how
// many were refused, and whether everything that was acknowledged is there afterwards.
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { digits } from './compare.mjs'
import { payment, signedPayment } from './requests.mjs'

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
  const codes = await storedCodes(urlAfter)
  const after = load.acknowledged.filter(({ at }) => at >= startedAt)
  const missing = load.acknowledged.filter(({ code }) => !codes.has(code))
  if (missing.length > 0) throw new Error(`${missing.length} acknowledged payments are lost`)
  return {
    changeMs: changedAt - startedAt,
    longestGapMs: longestGap(load.acknowledged.map(({ at }) => at)),
    acknowledged: load.acknowledged.length,
    afterwards: after.length,
    answers: load.answers,
    missing: missing.length,
  }
}

/** Rows of the report. */
export function switchRows(what, result) {
  const { changeMs, longestGapMs, answers, acknowledged, missing } = result
  const others = Object.entries(answers).filter(([status]) => !['201', '503'].includes(status))
  return [
    { what: `${what}: until another server took writes, s`, value: digits(changeMs / 1000) },
    {
      what: `${what}: longest time without a payment of ${BUYERS} buyers, s`,
      value: digits(longestGapMs / 1000),
    },
    {
      what: `${what}: payments acknowledged, refused 503, answered otherwise`,
      value: `${acknowledged}, ${answers[503] ?? 0}, ${others.map(([status, count]) => `${count} x ${status}`).join(' ') || 0}`,
    },
    { what: `${what}: acknowledged payments that are lost`, value: String(missing) },
  ]
}

async function untilPaid(load, sinceMs) {
  const deadline = performance.now() + PATIENCE_MS
  while (load.acknowledged.every(({ at }) => at < sinceMs)) {
    if (performance.now() > deadline)
      throw new Error(`no payment was acknowledged: ${JSON.stringify(load.answers)}`)
    await pause(100)
  }
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
      if (status === 201)
        acknowledged.push({ code: JSON.parse(text).transaction.code, at: performance.now() })
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

async function storedCodes(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select code from cofre.transactions')
  await client.end()
  return new Set(rows.map(({ code }) => code))
}
