import { type Cursor, type ListPage, type ListQuery, cursorBy, pageOf } from '@cofre/contracts'
import {
  type GatewayTables,
  type Notification,
  type NotificationRow,
  type Refund,
  type RefundId,
  type TransactionCode,
  findAnywhere,
  isUndecidedRow,
  listAnywhere,
  probedLanes,
  storedAttempt,
  storedNotification,
  storedRefund,
} from '@cofre/gateway/room'
import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import type {
  DueCount,
  Milestones,
  NotificationDetails,
  NotificationPlace,
  Period,
} from '../model/payment-file.js'
import { milestones } from './milestone-store-sql.js'

type Db = Connection<GatewayTables>

/** Reads transactions, refunds and notifications: but for the first, of one store alone. */
export interface DeskStore {
  /** Of one transaction, in the order of its changes. */
  readonly notificationsOf: (code: TransactionCode) => Promise<readonly NotificationDetails[]>
  /** Newest first. */
  readonly listNotifications: (
    merchantId: string,
    query: ListQuery,
  ) => Promise<ListPage<NotificationDetails>>
  /** Those behind a place, oldest first, some at a time. */
  readonly notificationsAfter: (
    merchantId: string,
    after: NotificationPlace,
  ) => Promise<readonly Notification[]>
  readonly findRefund: (merchantId: string, id: RefundId) => Promise<Refund | undefined>
  /** How much becomes due after a time and until another. */
  readonly dueBetween: (merchantId: string, time: Period) => Promise<DueCount>
  readonly milestones: (merchantId: string) => Promise<Milestones>
  /** Differs when transactions, refunds or notifications have changed; a few index probes. */
  readonly revision: (merchantId: string) => Promise<string>
}

export function createSqlDeskStore({ reader }: Database<GatewayTables>): DeskStore {
  return {
    notificationsOf: (code) =>
      listAnywhere(reader, async (db) => {
        const rows = await db
          .selectFrom('notifications')
          .selectAll()
          .where('transaction_code', '=', code)
          .orderBy('position')
          .execute()
        return await withAttempts(db, rows)
      }),
    listNotifications: (merchantId, query) => listNotifications(reader, merchantId, query),
    notificationsAfter: (merchantId, after) => notificationsAfter(reader, merchantId, after),
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
    // Not a condition: SQLite would read all of the store's transactions.
    .select((row) => {
      const own = row.case().when('merchant_id', '=', merchantId).then(1).end()
      return row.fn.count<number>(own).as('expiries')
    })
    // Spelt out, as the partial index has it.
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

const CURSOR: Cursor<NotificationPlace> = cursorBy({
  createdAtMs: 'bigint',
  transactionCode: 'bigint',
  position: 'integer',
})

async function listNotifications(
  reader: Db,
  merchantId: string,
  { after, limit }: ListQuery,
): Promise<ListPage<NotificationDetails>> {
  const place = CURSOR.read(after)
  const rows = await reader
    .selectFrom('notifications')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .$if(place !== undefined, (of) =>
      of.where((when) =>
        when(
          when.refTuple('created_at', 'transaction_code', 'position'),
          '<',
          when.tuple(place?.createdAtMs ?? 0, place?.transactionCode ?? 0, place?.position ?? 0),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('transaction_code', 'desc')
    .orderBy('position', 'desc')
    .limit(limit + 1)
    .execute()
  const page = pageOf(rows, limit, (row) => CURSOR.of(storedNotification.read(row)))
  return { items: await withAttempts(reader, page.items), next: page.next }
}

const READ_AT_ONCE = 100

async function notificationsAfter(
  reader: Db,
  merchantId: string,
  { createdAtMs, transactionCode, position }: NotificationPlace,
): Promise<readonly Notification[]> {
  const rows = await reader
    .selectFrom('notifications')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where((when) =>
      when(
        when.refTuple('created_at', 'transaction_code', 'position'),
        '>',
        when.tuple(createdAtMs, transactionCode, position),
      ),
    )
    .orderBy('created_at')
    .orderBy('transaction_code')
    .orderBy('position')
    .limit(READ_AT_ONCE)
    .execute()
  return rows.map((row) => storedNotification.read(row))
}

async function withAttempts(
  reader: Db,
  rows: readonly NotificationRow[],
): Promise<readonly NotificationDetails[]> {
  const attempts =
    rows.length === 0
      ? []
      : await reader
          .selectFrom('notification_attempts')
          .selectAll()
          .where(
            'transaction_code',
            'in',
            rows.map((row) => row.transaction_code),
          )
          .orderBy('attempt')
          .execute()
  const byKey = Map.groupBy(attempts, keyOf)
  // All are of one store.
  const [one] = rows
  const probed = one === undefined ? new Set<string>() : await probedLanes(reader, one.merchant_id)
  return rows.map((row) => {
    // What was never tried is sent when it is due.
    const isHeld = row.attempts > 0 && row.lane !== null && probed.has(row.lane)
    const state = stateOf(row, isHeld)
    return {
      notification: storedNotification.read(row),
      state,
      nextAttemptAtMs: state === 'done' || isHeld ? undefined : row.next_attempt_at,
      attempts: (byKey.get(keyOf(row)) ?? []).map(storedAttempt.read),
    }
  })
}

function stateOf(row: NotificationRow, isHeld: boolean): NotificationDetails['state'] {
  if (row.done_at !== null) return 'done'
  if (row.acknowledged_at !== null) return 'waiting-for-search'
  return isHeld ? 'held' : 'waiting'
}

function keyOf(row: Pick<NotificationRow, 'transaction_code' | 'position'>): string {
  return `${row.transaction_code}-${row.position}`
}

function undecidedOrders(reader: Db, merchantId: string) {
  return (
    reader
      .selectFrom('transactions')
      // Not a condition: SQLite would read all of the store's transactions.
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
 * order that stands after a later one changes how many do not.
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
