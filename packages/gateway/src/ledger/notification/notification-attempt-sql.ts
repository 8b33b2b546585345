import { type Connection, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import {
  type GatewayTables,
  type NotificationAttemptRow,
  type NotificationRow,
  storedAttempt,
} from '../database/gateway-tables.js'
import { blockAllButFirsts } from '../database/outbox.js'
import { lockTransaction } from '../database/transition.js'
import { rememberAcceptance, rememberRefusal } from './failing-store-sql.js'
import {
  type ClaimedNotification,
  type DeliveryAttempt,
  acknowledges,
  awaitsSearch,
} from '../../model/notification/notification.js'

type Db = Connection<GatewayTables>

interface Key {
  readonly code: number
  readonly position: number
}

type CountedAttempt = Pick<NotificationRow, 'attempts' | 'lease_until' | 'searched_at'>

/** What came of a delivery. */
export interface DeliveryRecord {
  readonly claimed: ClaimedNotification
  readonly attempt: DeliveryAttempt
  readonly nextAttemptAtMs: number
}

/** Keeps an attempt and ends its claim: see recordAttempt of the store. */
export async function recordAttempt(trx: Db, record: DeliveryRecord): Promise<void> {
  const { claimed } = record
  const { transactionCode: code, position } = claimed
  // What is asked together travels to a server together.
  const [, counted] = await Promise.all([
    trx.run(lockTransaction({ code })),
    trx.run(countAttempt({ code, position })),
  ])
  const [row] = counted.rows
  // Its transaction may have been deleted while it was under way.
  if (row === undefined) return
  const [isProbed, rests] = await Promise.all([
    rememberStore(trx, record),
    mayRest(trx, record, row),
    trx.run(insertAttempt(attemptRow(record, row.attempts))),
  ])
  // It was sent again by hand, or taken over by a worker after this one's lease had ended.
  if (row.lease_until !== claimed.leaseUntilMs) return
  await Promise.all([
    trx.run(endClaim(endOfClaim(record, { rests, isProbed }))),
    rests && trx.run(blockAllButFirsts({ code })),
  ])
}

const countAttempt = prepare((db: Db, { code, position }: Key) =>
  db
    .updateTable('notifications')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('transaction_code', '=', code)
    .where('position', '=', position)
    .returning(['attempts', 'lease_until', 'searched_at']),
)

const insertAttempt = prepare((db: Db, row: NotificationAttemptRow) =>
  db.insertInto('notification_attempts').values(row),
)

function attemptRow({ claimed, attempt }: DeliveryRecord, count: number): NotificationAttemptRow {
  return {
    transaction_code: claimed.transactionCode,
    position: claimed.position,
    attempt: count,
    ...storedAttempt.rowOf(attempt),
  }
}

/**
 * Whether a store's last attempt was acknowledged decides its share of the deliveries.
 * @returns whether it is probed
 */
async function rememberStore(
  trx: Db,
  { claimed: { merchantId }, attempt, nextAttemptAtMs }: DeliveryRecord,
): Promise<boolean> {
  if (!acknowledges(attempt))
    return await rememberRefusal(trx, {
      merchantId,
      atMs: attempt.atMs,
      probeAtMs: nextAttemptAtMs,
    })
  await rememberAcceptance(trx, merchantId)
  return false
}

/**
 * An acknowledged notification is done; that of a COMPLETE waits for its search, unless a newer
 * status waits behind it.
 */
async function mayRest(
  trx: Db,
  { claimed, attempt }: DeliveryRecord,
  row: CountedAttempt,
): Promise<boolean> {
  if (!acknowledges(attempt)) return false
  if (!awaitsSearch(claimed) || row.searched_at !== null) return true
  const newer = await trx
    .selectFrom('notifications')
    .select('position')
    .where('transaction_code', '=', claimed.transactionCode)
    .where('position', '>', claimed.position)
    .where('refund_id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return newer !== undefined
}

interface EndedClaim extends Key {
  readonly next_attempt_at: number
  readonly acknowledged_at: number | null
  readonly done_at: number | null
}

const endClaim = prepare((db: Db, { code, position, next_attempt_at, ...columns }: EndedClaim) =>
  db
    .updateTable('notifications')
    .set((set) => ({
      lease_until: null,
      next_attempt_at,
      acknowledged_at: set.fn.coalesce(set.val(columns.acknowledged_at), 'acknowledged_at'),
      done_at: set.fn.coalesce(set.val(columns.done_at), 'done_at'),
    }))
    .where('transaction_code', '=', code)
    .where('position', '=', position),
)

function endOfClaim(
  { claimed, attempt, nextAttemptAtMs }: DeliveryRecord,
  { rests, isProbed }: { readonly rests: boolean; readonly isProbed: boolean },
): EndedClaim {
  return {
    code: claimed.transactionCode,
    position: claimed.position,
    // The probe is what waits. All that is unfinished stays due, and what was created since is
    // newer.
    next_attempt_at: isProbed ? attempt.atMs : nextAttemptAtMs,
    acknowledged_at: acknowledges(attempt) ? attempt.atMs : null,
    done_at: rests ? attempt.atMs : null,
  }
}
