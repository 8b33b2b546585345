// Selects the charges that a worker reads at their bank, and when.
import type { Connection, Database } from '@cofre/sql'
import { DAY_MS } from '@cofre/contracts'
import { claim, isElsewhere, readEach } from '@cofre/work'
import { sql } from 'kysely'
import {
  type ChargeRead,
  type ChargeReadEnd,
  READ_LEASE_MS,
  READ_PAUSE_MS,
} from '../model/bank-charge.js'
import { readPauseMs, nextReadAtMs } from '../model/charge-read-times.js'
import {
  type BankChargeRow,
  type GatewayTables,
  type TransactionCode,
  storedCharge,
  returnFromArchive,
} from '@cofre/gateway/method'

type Db = Connection<GatewayTables>

/** A worker's request for due looks. Times are by the machine's clock. */
export interface ReadClaim {
  readonly machineNowMs: number
  readonly limit: number
  /** Accounts whose bank is already being waited for; they are skipped. */
  readonly busy?: readonly string[]
  /** Called with each charge that cannot be read. */
  readonly unreadable: (error: unknown, code: number) => void
}

/** A charge lives for a day; longer-lived ones are read sooner than necessary. */
const LONGEST_PLAN_MS = 2 * DAY_MS

export async function claimReads(
  database: Database<GatewayTables>,
  { machineNowMs, limit, busy = [], unreadable }: ReadClaim,
): Promise<readonly ChargeRead[]> {
  const rows = await claim(database, {
    table: 'bank_charges',
    key: ['transaction_code'],
    rows: (db) =>
      db
        .selectFrom('bank_charges')
        .select(READ_COLUMNS)
        // Literal, so that PostgreSQL uses the partial index.
        .where('next_look_at', 'is not', null)
        .where('state', 'in', ['live', 'closed'])
        .where(isElsewhere(sql.ref('account_id'), busy)),
    due: {
      at: 'next_look_at',
      longestMs: LONGEST_PLAN_MS,
      lease: { until: 'lease_until', longestMs: READ_LEASE_MS },
      nowMs: machineNowMs,
      limit,
    },
    take: (row) => ({
      looks: row.looks + 1,
      looked_at: machineNowMs,
      lease_until: machineNowMs + READ_LEASE_MS,
      next_look_at: repeatedAt(row, machineNowMs),
      unanswered_since: row.unanswered_since ?? machineNowMs,
    }),
  })
  return readEach(
    rows,
    (row) => readOf(row, machineNowMs),
    (error, row) => {
      unreadable(error, row.transaction_code)
    },
  )
}

/** An unreadable charge is read again after its pause, like one whose bank is silent. */
function repeatedAt(row: ReadRow, machineNowMs: number): number {
  const [read] = readEach(
    [row],
    (each) => readOf(each, machineNowMs),
    () => undefined,
  )
  return read?.repeatedAtMs ?? machineNowMs + readPauseMs(row.looks)
}

const READ_COLUMNS = [...storedCharge.columns, 'looks', 'unanswered_since'] as const

type ReadRow = Pick<BankChargeRow, (typeof READ_COLUMNS)[number]>

/** A look that begins now. */
function readOf(row: ReadRow, machineNowMs: number): ChargeRead {
  const charge = storedCharge.read(row)
  const { looks, unanswered_since } = row
  const longestMs = machineNowMs + LONGEST_PLAN_MS
  const plannedAtMs = Math.min(nextReadAtMs(charge, looks, machineNowMs), longestMs)
  const repeatedAtMs = Math.min(plannedAtMs, machineNowMs + readPauseMs(looks))
  const unansweredSinceMs = unanswered_since ?? undefined
  return { ...charge, looks, unansweredSinceMs, plannedAtMs, repeatedAtMs }
}

export async function finishRead(trx: Db, read: ChargeRead, end: ChargeReadEnd): Promise<void> {
  await trx
    .updateTable('bank_charges')
    .set({
      lease_until: null,
      ...(end.kind === 'answered' && { unanswered_since: null }),
      // Restores the state before the look.
      ...(end.kind === 'put-off' && {
        looks: read.looks,
        unanswered_since: read.unansweredSinceMs ?? null,
      }),
    })
    .where('transaction_code', '=', read.transactionCode)
    .execute()
  if (end.kind === 'unanswered') return
  const plannedAtMs = read.state === 'closed' ? null : read.plannedAtMs
  const next = end.kind === 'answered' ? plannedAtMs : Math.min(read.repeatedAtMs, end.untilMs)
  await trx
    .updateTable('bank_charges')
    .set({ next_look_at: next })
    .where('transaction_code', '=', read.transactionCode)
    // A notice that arrived during the look has planned another.
    .where('next_look_at', '=', read.repeatedAtMs)
    .execute()
}

/** Plans looks at once, but keeps the pause since the last look. */
export async function planReads(
  trx: Db,
  codes: readonly TransactionCode[],
  machineNowMs: number,
): Promise<void> {
  const lock = () =>
    trx
      .selectFrom('bank_charges')
      .select(['transaction_code', 'looked_at', 'next_look_at'])
      .where('transaction_code', 'in', codes)
      .orderBy('transaction_code')
      .forUpdate()
      .execute()
  let rows = await lock()
  if (rows.length < codes.length) {
    await returnFromArchive(trx, codes)
    rows = await lock()
  }
  for (const { transaction_code: code, looked_at, next_look_at } of rows) {
    // A look recorded further ahead than the pause was made before the clock was set back.
    const afterPauseMs = Math.min((looked_at ?? 0) + READ_PAUSE_MS, machineNowMs + READ_PAUSE_MS)
    const atMs = Math.max(machineNowMs, afterPauseMs)
    if (next_look_at !== null && next_look_at <= atMs) continue
    await trx
      .updateTable('bank_charges')
      .set({ next_look_at: atMs })
      .where('transaction_code', '=', code)
      .execute()
  }
}
