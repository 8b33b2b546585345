// Two PostgreSQL servers with synchronous replication under payments. The primary is cut off from
// its standby and killed, or stopped normally, and the standby is promoted by hand. Measures the
// pause of payments, counts refusals, and checks that all acknowledged payments exist.
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { digits, report } from './lib/compare.mjs'
import { askPostgres } from './lib/engines.mjs'
import { exchange, within } from './lib/load.mjs'
import { startProduct } from './lib/processes.mjs'
import { payment, signedPayment } from './lib/requests.mjs'
import { startPostgresPair, urlOfServers } from '../packages/sql/test/postgres-pair.ts'

const BUYERS = 16
/** Before and after the change. */
const AROUND_MS = 5000
const CARD = { number: '4111111111111111', cvv: '737', 'expiration-date': '2030-12' }

/** Promises of each response's status: an outcome only if it was known. */
const STATUSES = { PAID: 'COMPLETE', REJECTED: 'CANCELLED', PENDING: 'UNDER-REVIEW' }
const OUTCOMES = { PAID: 'approved', REJECTED: 'declined' }
const PARTS = [
  // The notification has the same commit as the status, which may have changed since.
  [
    STATUSES,
    `select code, notifications.created_at as at_ms, notifications.status as said
      from cofre.transactions join cofre.notifications on code = transaction_code
      where position = 1 and first_status in (transactions.status, 'UNDER-REVIEW')`,
  ],
  // The outcome and its audit entry also have the same commit.
  [
    OUTCOMES,
    `select record as code, at_ms, charges.state as said from cofre_vault.audit_log
      join cofre_vault.card_charges charges on record = cast(transaction_code as text)
      where action = 'card.authorized' and audit_log.outcome = state`,
  ],
]

const rows = []
await measure('Primary cut off and killed, standby promoted 3 s later', async (pair) => {
  await pair.separate()
  await pair.primary.kill()
  // The least time of an operator.
  await pause(3000)
  await pair.promote()
})
await measure('Primary stopped and standby promoted', async (pair) => {
  await pair.primary.stop()
  await pair.promote()
})
report('failover', rows)

async function measure(what, change) {
  const pair = await startPostgresPair()
  const url = `${urlOfServers([pair.primary, pair.standby])}?target_session_attrs=read-write`
  const product = await startProduct({ COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url })
  const load = { paid: [], refused: {}, isOver: false }
  const buying = Array.from({ length: BUYERS }, () => buy(product.ports.api, load))
  const { paid, refused } = load
  const paidSince = (ms) => within('payment', () => paid.at(-1)?.at >= ms)
  await paidSince(0)
  await pause(AROUND_MS)
  const startedAt = performance.now()
  await change(pair)
  const changedAt = performance.now()
  await paidSince(changedAt)
  await pause(AROUND_MS)
  load.isOver = true
  await Promise.all(buying)
  const lost = await findLost(pair.standby.url, paid)
  const gaps = paid.map(({ at }, i) => at - paid[Math.max(i - 1, 0)].at)
  const pending = paid.filter(({ status }) => status === 'PENDING')
  const figures = {
    'until it took writes, s': digits((changedAt - startedAt) / 1000),
    'longest time without a payment, s': digits(Math.max(...gaps) / 1000),
    'payments acknowledged, of these PENDING': `${paid.length}, ${pending.length}`,
    'other answers': JSON.stringify(refused),
    'acknowledged payments lost': lost.length,
  }
  for (const [figure, ours] of Object.entries(figures))
    rows.push({ what: `${what}: ${figure}`, ours })
  await product.stop()
  await pair.dispose()
  if (lost.length > 0) throw new Error(`acknowledged payments are lost: ${JSON.stringify(lost)}`)
}

/** One buyer's payments by card, one after the other: added to `paid`, or counted by response. */
async function buy(port, load) {
  const { paid, refused } = load
  const agent = new http.Agent({ keepAlive: true })
  while (!load.isOver) {
    const sent = exchange(agent, port, signedPayment(payment({ 'credit-card': CARD })))
    const { status: answer, text } = await sent.catch(({ code }) => ({ status: code }))
    if (answer === 201) {
      const { code, status } = JSON.parse(text).transaction
      paid.push({ code, status, at: performance.now(), answeredAtMs: Date.now() })
    } else {
      refused[answer] = (refused[answer] ?? 0) + 1
      await pause(100)
    }
  }
  agent.destroy()
}

/** Payments that are missing, or were written after the response: a worker wrote them again. */
async function findLost(url, paid) {
  const lost = []
  for (const [promised, query] of PARTS) {
    const found = new Map((await askPostgres(url, query)).map((row) => [row.code, row]))
    for (const payment of paid.filter(({ status }) => promised[status] !== undefined)) {
      const { said, at_ms: atMs } = found.get(payment.code) ?? {}
      if (said !== promised[payment.status] || atMs > payment.answeredAtMs) lost.push(payment)
    }
  }
  return lost
}
