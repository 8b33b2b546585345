// Fills an installation with payments as they would lie there after two months, copied from one
// that was really made.
import { STORE } from './processes.mjs'
import { openStored } from './stored-databases.mjs'
import { STORED_ROWS } from './stored-rows.mjs'

const BATCH = 100_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SPAN_MS = 60 * DAY_MS
/** How the gateway counts its codes. */
const CODES = { epochMs: Date.UTC(2025, 0, 1), stepMs: 10, perStep: 10_000 }
/** Of a step's codes each run of seeding has some for itself. */
const CODES_PER_RUN = 1000
const WINDOW_RUN = 9

/** Numbers the stored payments apart from those of the window. */
const WINDOW_FROM = 1_000_000_000

/** An hour that lies amid the stored payments. */
export const WINDOW = windowBefore(Date.now() - SPAN_MS / 3)

/** The window's payments, of the measured store: every second one has expired. */
export async function seedWindow(installation, count) {
  const { fromMs, untilMs } = WINDOW
  await fill(installation, {
    run: WINDOW_RUN,
    from: WINDOW_FROM,
    until: WINDOW_FROM + count,
    sinceMs: fromMs + 1000,
    stepMs: Math.floor((untilMs - fromMs - 2000) / count),
    store: `'${STORE.id}'`,
    status: "case when payment.n % 2 = 0 then 'COMPLETE' else 'EXPIRED' end",
  })
}

/**
 * Payments from one number until another, spread over two months up to now: half of them of the
 * measured store, though none of those in the window, half of the others'.
 * @param run - Which one it is, from 0; each number of payments is stored by a run of its own.
 */
export async function seedPayments(installation, { run, from, until, others }) {
  const other = `case n % ${others.length} ${others
    .map((id, i) => `when ${i} then '${id}'`)
    .join(' ')} end`
  await fill(installation, {
    run,
    from,
    until,
    sinceMs: Date.now() - SPAN_MS,
    stepMs: Math.floor(SPAN_MS / (until - from)),
    store: `case when n % 2 = 0 or ms between ${WINDOW.fromMs} and ${WINDOW.untilMs}
      then ${other} else '${STORE.id}' end`,
  })
}

/** How many payments are stored now. */
export async function countStored(installation) {
  const database = await openStored(installation, 'gateway')
  const count = await database.count('transactions')
  await database.close()
  return count
}

async function fill(installation, spread) {
  for (const [name, tables] of Object.entries(STORED_ROWS)) {
    const database = await openStored(installation, name)
    for (const { table, like, overrides } of tables)
      await database.fill(table, (columns) => ({
        columns,
        values: columns.map((column) => valueOf(column, table, { overrides, ...spread })),
        template: `(select * from ${table} ${like} limit 1) template`,
        batches: batchesOf(spread, database.series),
      }))
    await database.close(tables.map(({ table }) => table))
  }
}

function valueOf(column, table, { overrides, status }) {
  if (table === 'transactions' && column === 'status' && status !== undefined) return status
  return overrides[column] ?? `template."${column}"`
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
