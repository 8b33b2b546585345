import type { MinorUnits } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import { claim, isElsewhere } from '@cofre/work'
import type { Surplus } from '../model/bank-charge.js'
import {
  type GatewayTables,
  type RefundOutcome,
  type TransactionCode,
  REFUND_PAUSE_MAX_MS,
  listEverywhere,
  refundInProcess,
  refundPauseMs,
} from '@cofre/gateway/method'

type Db = Connection<GatewayTables>

/** The money that was paid for a charge beside its order, and how it ended. */
export function createSqlSurplusStore(database: Database<GatewayTables>) {
  return {
    /** The PIX that a refund of a transaction sends back. */
    async orderPayment(code: TransactionCode): Promise<string | undefined> {
      const row = await database.reader
        .selectFrom('bank_payments')
        .select('end_to_end_id')
        .where('transaction_code', '=', code)
        .where('purpose', '=', 'order')
        .where('way', '=', 'pix')
        .executeTakeFirst()
      return row?.end_to_end_id
    },

    /** The transactions with money beside the order. */
    among: (codes: readonly TransactionCode[]) => among(database.reader, codes),

    /**
     * Claims surpluses to send back, each for exactly one caller until its lease ends, even when
     * called concurrently. Each claim makes the next pause longer.
     */
    claim: (wanted: SurplusClaim) => claimSurpluses(database, wanted),

    /** Postpones a surplus that could not be requested; the attempt does not count. */
    putOff: (surplus: Surplus, untilMs: number): Promise<void> =>
      database.transact((trx) => putOff(trx, surplus, untilMs)),

    /** The bank has it in process: it is polled at pauses of its own. */
    postponeInProcess: (surplus: Surplus, machineNowMs: number): Promise<void> =>
      database.transact((trx) => postponeInProcess(trx, surplus, machineNowMs)),

    /** Commits the outcome of a surplus. */
    async finish(
      { code, endToEndId }: Surplus,
      outcome: RefundOutcome,
      atMs: number,
    ): Promise<void> {
      await database.transact((trx) =>
        trx
          .updateTable('bank_payments')
          .set({ refund_status: outcome, refunded_at: atMs, next_ask_at: null })
          .where('transaction_code', '=', code)
          .where('end_to_end_id', '=', endToEndId)
          .where('refund_status', '=', 'PROCESSING')
          .execute(),
      )
    },
  }
}

async function among(
  reader: Db,
  codes: readonly TransactionCode[],
): Promise<ReadonlySet<TransactionCode>> {
  if (codes.length === 0) return new Set()
  const rows = await listEverywhere(
    reader,
    (db) =>
      db
        .selectFrom('bank_payments')
        .select('transaction_code')
        .where('transaction_code', 'in', codes)
        .where('purpose', '!=', 'order')
        .execute(),
    (row) => row.transaction_code,
  )
  return new Set(rows.map((row) => row.transaction_code as TransactionCode))
}

async function putOff(trx: Db, { code, endToEndId }: Surplus, untilMs: number): Promise<void> {
  await trx
    .updateTable('bank_payments')
    .set((set) => ({ next_ask_at: untilMs, asks: set('asks', '-', 1) }))
    .where('transaction_code', '=', code)
    .where('end_to_end_id', '=', endToEndId)
    .where('refund_status', '=', 'PROCESSING')
    .execute()
}

async function postponeInProcess(
  trx: Db,
  { code, endToEndId }: Surplus,
  machineNowMs: number,
): Promise<void> {
  const row = await trx
    .selectFrom('bank_payments')
    .select('in_process')
    .where('transaction_code', '=', code)
    .where('end_to_end_id', '=', endToEndId)
    .where('refund_status', '=', 'PROCESSING')
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return
  await trx
    .updateTable('bank_payments')
    .set(refundInProcess(row.in_process, machineNowMs))
    .where('transaction_code', '=', code)
    .where('end_to_end_id', '=', endToEndId)
    .execute()
}

/** A request for surpluses to send back. Times are by the machine's clock. */
export interface SurplusClaim {
  readonly nowMs: number
  readonly limit: number
  /** Accounts whose bank is already being waited for; they are skipped. */
  readonly busy?: readonly string[]
}

async function claimSurpluses(
  database: Database<GatewayTables>,
  { nowMs, limit, busy = [] }: SurplusClaim,
): Promise<readonly Surplus[]> {
  const rows = await claim(database, {
    table: 'bank_payments',
    key: ['transaction_code', 'end_to_end_id'],
    rows: (db) =>
      db
        .selectFrom('bank_payments')
        .select(['transaction_code', 'account_id', 'end_to_end_id', 'amount', 'asks'])
        .select((of) =>
          of
            .selectFrom('bank_charges')
            .select('method')
            .whereRef('bank_charges.transaction_code', '=', 'bank_payments.transaction_code')
            .as('method'),
        )
        // Literal, so that PostgreSQL uses the partial index.
        .where('next_ask_at', 'is not', null)
        .where(isElsewhere(sql.ref('account_id'), busy)),
    due: { at: 'next_ask_at', longestMs: REFUND_PAUSE_MAX_MS, nowMs, limit },
    take: ({ asks }) => ({ asks: asks + 1, next_ask_at: nowMs + refundPauseMs(asks) }),
  })
  return rows.map((row) => ({
    code: row.transaction_code as TransactionCode,
    accountId: row.account_id,
    method: row.method ?? 'pix',
    endToEndId: row.end_to_end_id,
    amountMinor: row.amount as MinorUnits,
  }))
}
