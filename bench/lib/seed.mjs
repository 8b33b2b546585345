// Fills an installation with payments as they would lie there after two months, or in an archive
// after years, copied from one that was really made.
import process from 'node:process'
import { STORE } from './processes.mjs'
import { openStored } from './stored-databases.mjs'

const BATCH = 100_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SPAN_MS = 60 * DAY_MS
/** How the gateway counts its codes. */
const CODES = { epochMs: Date.UTC(2025, 0, 1), stepMs: 10, perStep: 10_000 }
/** Of a step's codes each run of seeding has some for itself. */
const CODES_PER_RUN = 1000
const WINDOW_RUN = 9
/** Of the products' clock: see later-clock.mjs. */
const AHEAD_MS = Number(process.env.COFRE_BENCH_AHEAD_MS ?? 0)
const STORED_FROM_MS = productNowMs() - SPAN_MS

/** Numbers the stored payments apart from those of the window. */
const WINDOW_FROM = 1_000_000_000

/**
 * What a copy says of its own payment, in whichever table it stands: its number (`n`), when it was
 * made (`ms`), its code and its store. All else is as in the row that is copied.
 */
const OF_PAYMENT = {
  code: 'payment.code',
  transaction_code: 'payment.code',
  merchant_id: 'payment.store',
  reference: "'stored-' || payment.n",
  public_id: "'stored' || payment.n",
  payer_document: "'stored' || (payment.n % 100000)",
  created_at: 'payment.ms',
  created_at_ms: 'payment.ms + 30',
  paid_at: 'payment.ms + 40',
  status_changed_at: 'payment.ms + 40',
  next_ask_at: 'payment.ms + 120000',
  next_attempt_at: 'payment.ms + 600000',
  at: 'payment.ms + 60',
  acknowledged_at: 'payment.ms + 60',
  searched_at: 'payment.ms + 100',
  // The shop has searched after its notification: that has come to rest.
  done_at: 'payment.ms + 100',
}

const DIGEST = "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'"
/** In place in the chain, so that nothing is left to do with it; before the real ones. */
const OF_DEPOSIT = {
  id: "'00' || payment.ms || '-' || payment.code || 'd'",
  at_ms: 'payment.ms',
  record: DIGEST,
  position: '-1 - payment.n',
  mac: DIGEST,
}
const OF_AUTHORIZATION = {
  ...OF_DEPOSIT,
  id: "'00' || payment.ms || '-' || payment.code || 'a'",
  record: 'cast(payment.code as text)',
  merchant_id: 'payment.store',
  actor: "'store:' || payment.store",
}

/** By database: each table that grows with payments, and the row that is copied. */
const TABLES = {
  gateway: [
    { table: 'transaction_keys', like: '' },
    { table: 'transactions', like: 'order by code desc' },
    { table: 'notifications', like: 'where attempts = 1' },
    { table: 'notification_attempts', like: 'where status_code = 200' },
  ],
  vault: [
    { table: 'authorizations', like: '' },
    {
      table: 'audit_log',
      like: "where action = 'direct_token.deposited'",
      overrides: OF_DEPOSIT,
    },
    {
      table: 'audit_log',
      like: "where action = 'card.authorized'",
      overrides: OF_AUTHORIZATION,
    },
  ],
}

/** The same of payments in the archive. */
const ARCHIVE_TABLES = {
  gateway: TABLES.gateway.map((rows) =>
    rows.table === 'transaction_keys'
      ? rows
      : { ...rows, table: `archived_${rows.table}`, from: rows.table },
  ),
  vault: TABLES.vault,
}
/** When those were made: in the first three years that codes know. */
const ARCHIVED_FROM_MS = CODES.epochMs + DAY_MS
const ARCHIVED_SPAN_MS = (3 * 365 - 2) * DAY_MS
/** Numbers them apart from all others. */
const ARCHIVED_FROM = 2_000_000_000
const ARCHIVED_WINDOW_FROM = 3_000_000_000
const ARCHIVABLE_FROM = 4_000_000_000
/** As in life: later than what the archive has. */
export const ARCHIVABLE_FROM_MS = ARCHIVED_FROM_MS + ARCHIVED_SPAN_MS + DAY_MS
export const ARCHIVABLE_SPAN_MS = 10 * DAY_MS

/** An hour that lies amid the stored payments. */
export const WINDOW = windowBefore(productNowMs() - SPAN_MS / 3)

/** Another amid those in the archive. */
export const ARCHIVED_WINDOW = windowBefore(ARCHIVED_FROM_MS + ARCHIVED_SPAN_MS / 2)

/** The window's payments, of the measured store: every second one has expired. */
export async function seedWindow(installation, count) {
  await fill(installation, windowSpread(count))
}

function windowSpread(count, { fromMs, untilMs } = WINDOW, from = WINDOW_FROM) {
  return {
    run: WINDOW_RUN,
    from,
    until: from + count,
    sinceMs: fromMs + 1000,
    stepMs: Math.floor((untilMs - fromMs - 2000) / count),
    store: `'${STORE.id}'`,
    status: "case when payment.n % 2 = 0 then 'COMPLETE' else 'EXPIRED' end",
  }
}

/**
 * Payments from one number until another, spread over two months up to now: half of them of the
 * measured store, though none of those in the window, half of the others'.
 * @param run - Which one it is, from 0; each number of payments is stored by a run of its own.
 */
export async function seedPayments(installation, spread) {
  await fill(installation, paymentsSpread(spread))
}

/** As many in the archive, and those of its window. The archive has its years already. */
export async function seedArchive(installation, { count, windowCount, others }) {
  const window = windowSpread(windowCount, ARCHIVED_WINDOW, ARCHIVED_WINDOW_FROM)
  await fill(installation, archivedSpread({ from: ARCHIVED_FROM, count, others }), ARCHIVE_TABLES)
  await fill(installation, window, ARCHIVE_TABLES)
}

/** Old payments outside the archive that may go there: all that is needed for it is known. */
export async function seedArchivable(installation, { count, others }) {
  const spread = {
    ...archivedSpread({ from: ARCHIVABLE_FROM, count, others }),
    sinceMs: ARCHIVABLE_FROM_MS,
    stepMs: Math.floor(ARCHIVABLE_SPAN_MS / count),
  }
  await fill(installation, spread, { gateway: TABLES.gateway })
  await fillTerms(installation, spread)
  const terms = TERMS.map(([kind, term]) => `'["${kind}","' || ${term} || '"]'`)
  const values = {
    code: 'payment.code',
    merchant_id: 'payment.store',
    terms: `'[' || ${terms.join(" || ',' || ")} || ']'`,
    figures: "'[]'",
  }
  const database = await openStored(installation, 'gateway')
  await database.fill('payment_facts', (columns) => ({
    columns,
    values: columns.map((column) => values[column]),
    template: '(select 1) template',
    batches: batchesOf(spread, database.series),
  }))
  await database.close(['payment_facts'])
}

/** One payment of their first hour, outside the archive and too little known to go there. */
export async function seedOldest(installation) {
  const spread = archivedSpread({ from: ARCHIVED_FROM - 1, count: 1, others: [STORE.id] })
  await fill(installation, { ...spread, run: 2 })
}

/** How many payments the archive has, and in how many partitions that have some. */
export async function countArchived(installation) {
  const database = await openStored(installation, 'gateway')
  const stored = await database.count('archived_transactions')
  const partitions = await database.countPartitions('archived_transactions')
  await database.close()
  return { stored, partitions }
}

function archivedSpread({ from, count, others }) {
  return {
    ...paymentsSpread({ run: 0, from, until: from + count, others, window: ARCHIVED_WINDOW }),
    sinceMs: ARCHIVED_FROM_MS,
    stepMs: Math.floor(ARCHIVED_SPAN_MS / count),
  }
}

function paymentsSpread({ run, from, until, others, window = WINDOW }) {
  const other = `case n % ${others.length} ${others
    .map((id, i) => `when ${i} then '${id}'`)
    .join(' ')} end`
  return {
    run,
    from,
    until,
    sinceMs: STORED_FROM_MS,
    stepMs: Math.floor(SPAN_MS / (until - from)),
    store: `case when n % 2 = 0 or ms between ${window.fromMs} and ${window.untilMs}
      then ${other} else '${STORE.id}' end`,
  }
}

/**
 * What the console's search knows of the window's payments: see {@link windowPayment}.
 */
export async function seedWindowTerms(installation, count) {
  await fillTerms(installation, windowSpread(count))
}

/** What it knows of those that `seedPayments` has stored: some terms are frequent. */
export async function seedTerms(installation, spread) {
  await fillTerms(installation, paymentsSpread(spread))
}

/** What is searched for, of one of the window's payments. */
export function windowPayment(i) {
  const number = WINDOW_FROM + i
  return {
    reference: `stored-${number}`,
    email: `payer${number}@example.com`,
    amount: `${number * 3},00`,
    lastFour: String(9000 + (number % 1000)),
  }
}

const IS_WINDOW = `payment.n >= ${WINDOW_FROM}`
const LETTERS = "'abcdefghij'"
/** By kind; those of the window's payments are no others'. Twelve digits are an amount. */
const TERMS = [
  ['status', `case when ${IS_WINDOW} and payment.n % 2 = 1 then 'EXPIRED' else 'COMPLETE' end`],
  ['method', "'credit-card'"],
  ['brand', "'visa'"],
  [
    'amount',
    `substr(cast(1000000000000 + case when ${IS_WINDOW} then payment.n * 300
      else payment.n % 50000 end as text), 2)`,
  ],
  [
    'last-four',
    `cast(case when ${IS_WINDOW} then 9000 + payment.n % 1000
    else 1000 + payment.n % 8000 end as text)`,
  ],
  ['document', "'stored' || (payment.n % 100000)"],
  [
    'email',
    `'payer' || case when ${IS_WINDOW} then payment.n else payment.n % 100000 end
    || '@example.com'`,
  ],
  ['name', `'silva' || substr(${LETTERS}, cast(payment.n % 10 as integer) + 1, 1)`],
  [
    'name',
    `case when ${IS_WINDOW} then 'janela'
    else 'souza' || substr(${LETTERS}, cast(payment.n / 10 % 10 as integer) + 1, 1) end`,
  ],
  ['reference', "'stored-' || payment.n"],
  ['reference', "'stored'"],
  ['provider', "'nsu' || payment.n"],
]

async function fillTerms(installation, spread) {
  const database = await openStored(installation, 'gateway')
  for (const [kind, term] of TERMS) {
    const values = { merchant_id: 'payment.store', kind: `'${kind}'`, term, code: 'payment.code' }
    await database.fill('payment_terms', (columns) => ({
      columns,
      values: columns.map((column) => values[column]),
      template: '(select 1) template',
      batches: batchesOf(spread, database.series),
    }))
  }
  await database.close(['payment_terms'])
}

/** What time it is for the products. */
export function productNowMs() {
  return Date.now() + AHEAD_MS
}

/** How many payments are stored now. */
export async function countStored(installation) {
  const database = await openStored(installation, 'gateway')
  const count = await database.count('transactions')
  await database.close()
  return count
}

async function fill(installation, spread, databases = TABLES) {
  const fillOne = async ([name, tables]) => {
    const database = await openStored(installation, name)
    for (const { table, from = table, like, overrides = OF_PAYMENT } of tables)
      await database.fill(table, (columns) => ({
        columns,
        values: columns.map((column) =>
          from === 'transactions' && column === 'status' && spread.status !== undefined
            ? spread.status
            : (overrides[column] ?? `template."${column}"`),
        ),
        template: `(select * from ${from} ${like} limit 1) template`,
        batches: batchesOf(spread, database.series),
      }))
    await database.close(tables.map(({ table }) => table))
  }
  await Promise.all(Object.entries(databases).map(fillOne))
}

function* batchesOf({ run, from, until, sinceMs, stepMs, store }, series) {
  const { epochMs, stepMs: codeStepMs, perStep } = CODES
  const code = `(ms - ${epochMs}) / ${codeStepMs} * ${perStep}
    + ${run * CODES_PER_RUN} + n % ${CODES_PER_RUN}`
  for (let first = from; first < until; first += BATCH) {
    const last = Math.min(first + BATCH, until) - 1
    yield `(select n, ms, ${code} as code, ${store} as store from
      (select n, ${sinceMs} + (n - ${from}) * ${stepMs} as ms
       from ${series(first, last)}) numbered) payment`
  }
}

function windowBefore(untilMs) {
  return { fromMs: untilMs - HOUR_MS, untilMs }
}
