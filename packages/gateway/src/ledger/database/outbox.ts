import { type Connection, type Statement, prepare, valuesOf } from '@cofre/sql'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { laneOf } from '../../model/notification/lane.js'
import type { GatewayTables, NotificationRow } from './gateway-tables.js'
import { lockTransaction, openToGo } from './transition.js'

type Db = Connection<GatewayTables>

/**
 * True for a transaction's notifications that are not done. No index over all unfinished rows fits
 * its form: PostgreSQL uses such an index while it expects few rows. It then reads a whole backlog.
 */
export const isUnfinished: RawBuilder<SqlBool> = sql`coalesce(done_at, 0) = 0`

/** A notification that was acknowledged and only awaits a search gives way to a newer one. */
const finishAcknowledged = prepare(
  (db: Db, { code, atMs }: { readonly code: number; readonly atMs: number }) =>
    db
      .updateTable('notifications')
      .set({ done_at: atMs })
      .where('transaction_code', '=', code)
      .where('acknowledged_at', 'is not', null)
      .where(isUnfinished),
)

const GIVEN_COLUMNS = [
  'transaction_code',
  'merchant_id',
  'refund_id',
  'refund_nature',
  'status',
  'url',
  'created_at',
  'next_attempt_at',
] as const satisfies readonly (keyof NotificationRow)[]
const NEW_COLUMNS = [...GIVEN_COLUMNS, 'lane', 'attempts', 'position', 'blocked'] as const

/** A change of which the store is to be notified, at `next_attempt_at`. */
export type NewNotification = Pick<NotificationRow, (typeof GIVEN_COLUMNS)[number]>

type InLane = NewNotification & Pick<NotificationRow, 'lane'>

function inLane(row: NewNotification): InLane {
  const refundId = row.refund_id ?? undefined
  const { merchant_id: merchantId, url } = row
  return { ...row, lane: laneOf({ merchantId, url, refundId }) }
}

/** The next notification of its transaction, blocked behind any unfinished one of its kind. */
function nextNotification(of: Db, row: InLane) {
  return of
    .selectFrom('notifications as earlier')
    .select((select) => [
      ...valuesOf(row, [...GIVEN_COLUMNS, 'lane']),
      select.lit(0).as('attempts'),
      sql<number>`coalesce(max(position), 0) + 1`.as('position'),
      sql<number>`coalesce(max(case when done_at is null
        and (refund_id is null) = (cast(${row.refund_id} as bigint) is null) then 1 else 0 end), 0)`.as(
        'blocked',
      ),
    ])
    .where('earlier.transaction_code', '=', row.transaction_code)
}

const insertNotification = prepare((db: Db, row: InLane) =>
  db.insertInto('notifications').columns(NEW_COLUMNS).expression(nextNotification(db, row)),
)

/** Inserts only if the transaction is open and may go to the status. The caller has locked it. */
const insertIfMayMove = prepare((db: Db, row: InLane) =>
  db
    .insertInto('notifications')
    .columns(NEW_COLUMNS)
    .expression(
      nextNotification(db, row).having((of) =>
        of.exists(openToGo(db, { code: row.transaction_code, status: row.status })),
      ),
    ),
)

/**
 * Adds a notification to the outbox, in the unit of work that makes the change. The caller has
 * changed or locked the transaction's row, so that the changes of a transaction take turns.
 */
export async function enqueueNotification(trx: Db, row: NewNotification): Promise<void> {
  await trx.runInOrder(enqueueing(row))
}

/** The statements of {@link enqueueNotification}: the second reads the result of the first. */
export function enqueueing(row: NewNotification): { finished?: Statement; notified: Statement } {
  const { transaction_code: code, refund_id: refundId, created_at: atMs } = row
  return {
    ...(refundId === null && { finished: finishAcknowledged({ code, atMs }) }),
    notified: insertNotification(inLane(row)),
  }
}

/**
 * The first statements that settle a transaction. They lock it, and add the notification of its new
 * status to the outbox if it is open and may go there. No notification of an open transaction
 * awaits a search, so none has to give way.
 */
export function notifyIfOpen(row: NewNotification): { locked: Statement; notified: Statement } {
  return {
    locked: lockTransaction({ code: row.transaction_code }),
    notified: insertIfMayMove(inLane(row)),
  }
}

/**
 * Blocks a transaction's unfinished notifications except the first of each kind: the first of its
 * statuses, and the first of its refunds. The caller has locked the transaction.
 */
export const blockAllButFirsts = prepare((db: Db, { code }: { readonly code: number }) => {
  const first = db
    .selectFrom('notifications as unfinished')
    .select(({ fn }) => fn.min<number>('unfinished.position').as('first'))
    .where('unfinished.transaction_code', '=', code)
    .where(sql<boolean>`(unfinished.refund_id is null) = (notifications.refund_id is null)`)
    .where(isUnfinished)
  const blocked = sql<number>`case when position > (${first}) then 1 else 0 end`
  return db
    .updateTable('notifications')
    .set({ blocked })
    .where('transaction_code', '=', code)
    .where(isUnfinished)
    .where('blocked', '<>', blocked)
})

/** Notifications of payments that no search has returned yet. */
export function unsearched(reader: Db) {
  return reader
    .selectFrom('notifications')
    .select('transaction_code')
    .where(isUnfinished)
    .where('searched_at', 'is', null)
    .where('status', '=', 'COMPLETE')
}
