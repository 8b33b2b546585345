import { type Connection, type Statement, prepare, valuesOf } from '@cofre/sql'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { laneOf } from '../../model/notification/lane.js'
import type { GatewayTables, NotificationRow } from './gateway-tables.js'
import { lockTransaction, mayGoTo } from './transition.js'

type Db = Connection<GatewayTables>

/**
 * Not done yet, of the notifications of one transaction. Put so that no index over all unfinished
 * ones fits: PostgreSQL takes such a one while it believes them few, and then reads a whole
 * backlog.
 */
export const isUnfinished: RawBuilder<SqlBool> = sql`coalesce(done_at, 0) = 0`

/** One that was acknowledged and only awaited a search makes room for the newer. */
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

/** A change that the store is to hear of, at `next_attempt_at`. */
export type NewNotification = Pick<NotificationRow, (typeof GIVEN_COLUMNS)[number]>

type InLane = NewNotification & Pick<NotificationRow, 'lane'>

function inLane(row: NewNotification): InLane {
  const refundId = row.refund_id ?? undefined
  const { merchant_id: merchantId, url } = row
  return { ...row, lane: laneOf({ merchantId, url, refundId }) }
}

/** The next of its transaction; behind any of its kind that is unfinished it is blocked. */
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

/** Only if the transaction is open and may go to the status. The caller has locked it. */
const insertIfMayMove = prepare((db: Db, row: InLane) =>
  db
    .insertInto('notifications')
    .columns(NEW_COLUMNS)
    .expression(
      nextNotification(db, row).having((of) =>
        of.exists(
          of
            .selectFrom('transactions')
            .select('code')
            .where('code', '=', row.transaction_code)
            .where('open', '=', 1)
            .where(mayGoTo(row.status)),
        ),
      ),
    ),
)

/**
 * Puts a notification into the outbox, in the unit of work that makes the change. The caller has
 * changed or locked the transaction's row, so that the changes of a transaction take turns.
 */
export async function enqueueNotification(trx: Db, row: NewNotification): Promise<void> {
  await trx.runInOrder(enqueueing(row))
}

/** The statements of {@link enqueueNotification}: the second reads what the first has finished. */
export function enqueueing(row: NewNotification): { finished?: Statement; notified: Statement } {
  const { transaction_code: code, refund_id: refundId, created_at: atMs } = row
  return {
    ...(refundId === null && { finished: finishAcknowledged({ code, atMs }) }),
    notified: insertNotification(inLane(row)),
  }
}

/**
 * The first statements of settling a transaction: they lock it, and put the notification of its new
 * status into the outbox if it is open and may go there. None of an open transaction awaits a
 * search, so there is none that makes room for the new one.
 */
export function notifyIfOpen(row: NewNotification): { locked: Statement; notified: Statement } {
  return {
    locked: lockTransaction({ code: row.transaction_code }),
    notified: insertIfMayMove(inLane(row)),
  }
}

/**
 * Blocks every unfinished notification of a transaction but the first of each kind: the first of
 * its statuses, and the first of its refunds. The caller has locked the transaction.
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

/** Notifications of a payment that no search has shown yet. */
export function unsearched(reader: Db) {
  return reader
    .selectFrom('notifications')
    .select('transaction_code')
    .where(isUnfinished)
    .where('searched_at', 'is', null)
    .where('status', '=', 'COMPLETE')
}
