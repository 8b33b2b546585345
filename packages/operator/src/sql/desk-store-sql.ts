import {
  type GatewayTables,
  type Milestones,
  type Refund,
  type RefundId,
  findAnywhere,
  isUndecidedRow,
  storedRefund,
} from '@cofre/gateway/room'
import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import type { DueCount, Period } from '../model/payment-file.js'
import { milestones } from './milestone-store-sql.js'

type Db = Connection<GatewayTables>

/** Reads the state of a store's payments. */
export interface DeskStore {
  readonly findRefund: (merchantId: string, id: RefundId) => Promise<Refund | undefined>
  /** The number of events that become due after one time and until another. */
  readonly dueBetween: (merchantId: string, time: Period) => Promise<DueCount>
  readonly milestones: (merchantId: string) => Promise<Milestones>
  /** Differs after a change of transactions, refunds or notifications; costs a few index probes. */
  readonly revision: (merchantId: string) => Promise<string>
}

export function createSqlDeskStore({ reader }: Database<GatewayTables>): DeskStore {
  return {
    async findRefund(merchantId, id) {
      const row = await findAnywhere(reader, (db) =>
        db
          .selectFrom('refunds')
          .selectAll()
          .where('transaction_code', '=', (keys) =>
            keys.selectFrom('refund_keys').select('transaction_code').where('id', '=', id),
          )
          .where('id', '=', id)
          .where('merchant_id', '=', merchantId)
          .executeTakeFirst(),
      )
      return row && storedRefund.read(row)
    },
    dueBetween: (merchantId, time) => dueBetween(reader, merchantId, time),
    milestones: (merchantId) => milestones(reader, merchantId),
    revision: (merchantId) => revision(reader, merchantId),
  }
}

async function dueBetween(
  reader: Db,
  merchantId: string,
  { afterMs, untilMs }: Period,
): Promise<DueCount> {
  const { expiries } = await reader
    .selectFrom('transactions')
    // Not a condition, because SQLite would read all of the store's transactions.
    .select((row) => {
      const own = row.case().when('merchant_id', '=', merchantId).then(1).end()
      return row.fn.count<number>(own).as('expiries')
    })
    // Literal, so that PostgreSQL uses the partial index.
    .where('status', '=', sql.lit('PENDING'))
    .where('expires_at', '>', afterMs)
    .where('expires_at', '<=', untilMs)
    .executeTakeFirstOrThrow()
  const { notifications } = await reader
    .selectFrom('notifications')
    .select((select) => select.fn.countAll<number>().as('notifications'))
    .where('merchant_id', '=', merchantId)
    .where('done_at', 'is', null)
    .where('blocked', '=', sql.lit(0))
    .where('next_attempt_at', '>', afterMs)
    .where('next_attempt_at', '<=', untilMs)
    .executeTakeFirstOrThrow()
  return { expiries, notifications }
}

function undecidedOrders(reader: Db, merchantId: string) {
  return (
    reader
      .selectFrom('transactions')
      // Not a condition, because SQLite would read all of the store's transactions.
      .select((row) => {
        const own = row.case().when('merchant_id', '=', merchantId).then(1).end()
        return row.fn.count<number>(own).as('undecided')
      })
      .where(isUndecidedRow())
      .executeTakeFirst()
  )
}

/**
 * The last change of each kind, and a sum over the backlog: every attempt changes one of them. An
 * order that is committed after a later one changes the number of undecided orders.
 */
async function revision(reader: Db, merchantId: string): Promise<string> {
  const transactions = reader.selectFrom('transactions').where('merchant_id', '=', merchantId)
  const notifications = reader.selectFrom('notifications').where('merchant_id', '=', merchantId)
  const links = reader.selectFrom('payment_links').where('merchant_id', '=', merchantId)
  const parts = await Promise.all([
    transactions
      .select(['created_at', 'code'])
      .orderBy('created_at', 'desc')
      .orderBy('code', 'desc')
      .limit(1)
      .executeTakeFirst(),
    transactions
      .select(['status_changed_at', 'code', 'status'])
      .orderBy('status_changed_at', 'desc')
      .orderBy('code', 'desc')
      .limit(1)
      .executeTakeFirst(),
    undecidedOrders(reader, merchantId),
    reader
      .selectFrom('refunds')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    notifications
      .select(['created_at', 'transaction_code', 'position'])
      .orderBy('created_at', 'desc')
      .orderBy('transaction_code', 'desc')
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst(),
    notifications
      .select((select) => [
        select.fn.countAll<number>().as('waiting'),
        select.fn.sum<number | string | null>('attempts').as('attempts'),
        select.fn.sum<number | string | null>('next_attempt_at').as('next'),
      ])
      .where('done_at', 'is', null)
      .executeTakeFirst(),
    links
      .select('id')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    links
      .select(['id', 'revoked_at'])
      .where('revoked_at', 'is not', null)
      .orderBy('revoked_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return parts.flatMap((part) => Object.values(part ?? {}).map(String)).join('-')
}
