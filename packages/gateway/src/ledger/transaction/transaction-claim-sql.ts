// Which transactions a worker takes, and when.
import type { PaymentType } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { claim, isElsewhere, readEach } from '@cofre/work'
import type { Transaction, TransactionCode } from '../../model/transaction/transaction.js'
import { type InLane, laneOf } from './charge-account-sql.js'
import { type GatewayTables, storedTransaction } from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

/** What a worker wants of the transactions that wait for it; times by the machine's clock. */
export interface TransactionClaim {
  readonly machineNowMs: number
  /** After which another worker may ask. */
  readonly leaseMs: number
  /** How far ahead one may be put off; default the lease. */
  readonly pauseMaxMs?: number
  readonly limit: number
  /** Accounts and stores whose provider is waited for already: none of theirs. */
  readonly busy?: readonly string[]
  /** Hears of a transaction that cannot be read. */
  readonly unreadable: (error: unknown, code: number) => void
}

/** Which transactions wait, and the column that says since when; leasing one sets it anew. */
type Waiting = readonly [
  dueAt: 'next_ask_at' | 'activate_at',
  condition: (of: ExpressionBuilder<GatewayTables, 'transactions'>) => Expression<SqlBool>,
]

/** Leases rows that are due and that nobody else holds. */
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
