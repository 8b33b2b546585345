import type { PaymentType } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { claim, isElsewhere, readEach } from '@cofre/work'
import type { Transaction, TransactionCode } from '../../model/transaction/transaction.js'
import { type InLane, laneOf } from './charge-account-sql.js'
import { type GatewayTables, storedTransaction } from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

/** A worker's claim of waiting transactions; times are by the machine's clock. */
export interface TransactionClaim {
  readonly machineNowMs: number
  /** After this time another worker may claim one. */
  readonly leaseMs: number
  /** The longest postponement of one; default: the lease. */
  readonly pauseMaxMs?: number
  readonly limit: number
  /**
   * Accounts and stores whose provider is already waited for; their transactions are not claimed.
   */
  readonly busy?: readonly string[]
  /** Called for a transaction that cannot be read. */
  readonly unreadable: (error: unknown, code: number) => void
}

/** The waiting transactions, and the column with the time when one is due; a lease sets it anew. */
type Waiting = readonly [
  dueAt: 'next_ask_at' | 'activate_at',
  condition: (of: ExpressionBuilder<GatewayTables, 'transactions'>) => Expression<SqlBool>,
]

/** Leases due rows that no other worker holds. */
export async function claimDue(
  database: Database<GatewayTables>,
  { machineNowMs, leaseMs, pauseMaxMs = leaseMs, limit, busy = [], unreadable }: TransactionClaim,
  [dueAt, condition]: Waiting,
): Promise<readonly InLane<Transaction>[]> {
  const lane = laneOf('transactions')
  const rows = await claim(database, {
    table: 'transactions',
    key: ['code'],
    rows: (db) =>
      db
        .selectFrom('transactions')
        .selectAll()
        .select(lane.as('lane'))
        .where(condition)
        .where(isElsewhere(lane, busy)),
    due: { at: dueAt, longestMs: pauseMaxMs, nowMs: machineNowMs, limit },
    take: () => ({ [dueAt]: machineNowMs + leaseMs }),
  })
  return readEach(
    rows,
    (row) => ({ ...storedTransaction.read(row), lane: row.lane }),
    (error, row) => {
      unreadable(error, row.code)
    },
  )
}

export function isOpenOf(types: readonly PaymentType[]): Waiting[1] {
  // Literal, so that PostgreSQL uses the partial index.
  return (of) => of('open', '=', sql.lit(1)).and('payment_type', 'in', types)
}

export async function askLater(trx: Db, code: TransactionCode, atMs: number): Promise<void> {
  const changed = trx.updateTable('transactions').set({ next_ask_at: atMs })
  await changed.where('code', '=', code).where('open', '=', 1).execute()
}
