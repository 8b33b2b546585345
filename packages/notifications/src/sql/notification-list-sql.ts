// Lists of notifications for people: a payment's, or a store's.
import { type Cursor, type ListPage, type ListQuery, cursorBy, pageOf } from '@cofre/contracts'
import {
  type GatewayTables,
  type Notification,
  type NotificationDetails,
  type NotificationRow,
  type TransactionCode,
  listAnywhere,
  storedAttempt,
  storedNotification,
} from '@cofre/gateway/room'
import type { Connection } from '@cofre/sql'
import type { NotificationPlace } from '../model/notifications.js'
import { probedLanes } from './failing-lane-sql.js'

type Db = Connection<GatewayTables>

/** In the order of its changes. */
export async function notificationsOf(
  reader: Db,
  code: TransactionCode,
): Promise<readonly NotificationDetails[]> {
  return await listAnywhere(reader, async (db) => {
    const rows = await db
      .selectFrom('notifications')
      .selectAll()
      .where('transaction_code', '=', code)
      .orderBy('position')
      .execute()
    return await withAttempts(db, rows)
  })
}

const CURSOR: Cursor<NotificationPlace> = cursorBy({
  createdAtMs: 'bigint',
  transactionCode: 'bigint',
  position: 'integer',
})

/** Newest first. */
export async function listNotifications(
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

/** The notifications behind a place, oldest first, in batches. */
export async function notificationsAfter(
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
    // A notification without attempts is sent when it is due.
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
