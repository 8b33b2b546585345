import { type Connection, type Database, columnsOf, prepare, valuesOf } from '@cofre/sql'
import { type ExpressionBuilder, sql } from 'kysely'
import {
  type DeliveryAttempt,
  type GatewayTables,
  type NotificationAttemptRow,
  blockAllButFirsts,
  lockTransaction,
  storedAttempt,
} from '@cofre/gateway/room'
import { acceptance, rememberRefusal } from './failing-lane-sql.js'
import { type ClaimedNotification, acknowledges, awaitsSearch } from '../model/sending.js'

type Db = Connection<GatewayTables>

interface Key {
  readonly code: number
  readonly position: number
}

/** What came of a delivery. */
export interface DeliveryRecord {
  readonly claimed: ClaimedNotification
  readonly attempt: DeliveryAttempt
  readonly nextAttemptAtMs: number
}

/** Keeps an attempt and ends its claim: see recordAttempt of the store. */
export async function recordAttempt(
  database: Database<GatewayTables>,
  record: DeliveryRecord,
): Promise<void> {
  if (acknowledges(record.attempt)) await database.commit(acknowledgement(record))
  else await database.transact((trx) => recordRefusal(trx, record))
}

/**
 * The attempt that a store acknowledged: whether it rests is found out by the statements. Of a
 * transaction that was deleted meanwhile the store's acceptance alone is kept.
 */
function acknowledgement({ claimed, attempt, nextAttemptAtMs }: DeliveryRecord) {
  const { transactionCode: code, position, leaseUntilMs: lease, merchantId } = claimed
  return {
    locked: lockTransaction({ code }),
    ended: acknowledge({
      code,
      position,
      lease,
      next: nextAttemptAtMs,
      at: attempt.atMs,
      awaits_search: Number(awaitsSearch(claimed)),
    }),
    kept: insertAttempt({ code, position, ...storedAttempt.rowOf(attempt) }),
    unblocked: blockAllButFirsts({ code }),
    ...acceptance(merchantId, claimed.lane),
  }
}

async function recordRefusal(
  trx: Db,
  { claimed, attempt, nextAttemptAtMs }: DeliveryRecord,
): Promise<void> {
  const { transactionCode: code, position, leaseUntilMs: lease, merchantId } = claimed
  const locked = await trx.run(lockTransaction({ code }))
  // It may have been deleted while the notification was under way.
  if (locked.rows.length === 0) return
  const { lane: laneId } = claimed
  const refusal = { merchantId, lane: laneId, atMs: attempt.atMs, probeAtMs: nextAttemptAtMs }
  // The probe is what waits. All that is unfinished stays due, and what was created since is
  // newer.
  const next = (await rememberRefusal(trx, refusal)) ? attempt.atMs : nextAttemptAtMs
  await trx.runInOrder({
    counted: putOff({ code, position, lease, next }),
    // Numbered by the count.
    kept: insertAttempt({ code, position, ...storedAttempt.rowOf(attempt) }),
  })
}

/** The end of a claim that may be lost: by hand, or to a worker that came after its lease. */
interface EndedClaim extends Key {
  readonly lease: number
  readonly next: number
}

/** Counts an attempt, and frees the notification if the claim is not lost. */
function ended({ lease, next }: EndedClaim) {
  return {
    attempts: sql<number>`attempts + 1`,
    lease_until: sql<number | null>`nullif(lease_until, ${lease})`,
    next_attempt_at: sql<number>`case when lease_until = ${lease} then ${next}
      else next_attempt_at end`,
  }
}

const putOff = prepare((db: Db, claim: EndedClaim) =>
  db
    .updateTable('notifications')
    .set(ended(claim))
    .where('transaction_code', '=', claim.code)
    .where('position', '=', claim.position),
)

interface AcknowledgedClaim extends EndedClaim {
  readonly at: number
  readonly awaits_search: number
}

const acknowledge = prepare((db: Db, claim: AcknowledgedClaim) =>
  db
    .updateTable('notifications')
    .set((of) => ({
      ...ended(claim),
      acknowledged_at: sql<number>`case when lease_until = ${claim.lease} then ${claim.at}
        else acknowledged_at end`,
      done_at: sql<number>`case when lease_until = ${claim.lease} and ${mayRest(of, claim)}
        then ${claim.at} else done_at end`,
    }))
    .where('transaction_code', '=', claim.code)
    .where('position', '=', claim.position),
)

/**
 * An acknowledged notification is done; that of a COMPLETE waits for its search, unless a newer
 * status waits behind it.
 */
function mayRest(
  of: ExpressionBuilder<GatewayTables, 'notifications'>,
  { code, position, awaits_search }: AcknowledgedClaim,
) {
  return of.or([
    of(of.val(awaits_search), '=', of.lit(0)),
    of('searched_at', 'is not', null),
    of.exists(
      of
        .selectFrom('notifications as newer')
        .select('newer.position')
        .where('newer.transaction_code', '=', code)
        .where('newer.position', '>', position)
        .where('newer.refund_id', 'is', null),
    ),
  ])
}

type AttemptValues = Key & Omit<NotificationAttemptRow, 'transaction_code' | 'position' | 'attempt'>

/** The attempt that was counted last. */
const insertAttempt = prepare((db: Db, { code, position, ...attempt }: AttemptValues) =>
  db
    .insertInto('notification_attempts')
    .columns(['transaction_code', 'position', 'attempt', ...columnsOf(attempt)])
    .expression((of) =>
      of
        .selectFrom('notifications')
        .select(['transaction_code', 'position', 'attempts'])
        .select(valuesOf(attempt))
        .where('transaction_code', '=', code)
        .where('position', '=', position),
    ),
)
