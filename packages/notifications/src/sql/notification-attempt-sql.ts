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

/** The result of a delivery. */
export interface DeliveryRecord {
  readonly claimed: ClaimedNotification
  readonly attempt: DeliveryAttempt
  readonly nextAttemptAtMs: number
}

/** Records an attempt and ends its claim: see recordAttempt of the store. */
export async function recordAttempt(
  database: Database<GatewayTables>,
  record: DeliveryRecord,
): Promise<void> {
  if (acknowledges(record.attempt)) await database.commit(acknowledgement(record))
  else await database.transact((trx) => recordRefusal(trx, record))
}

/**
 * The statements for an acknowledged attempt; they also decide whether its notification rests. If
 * the transaction was deleted meanwhile, only the store's acceptance is recorded.
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
  // The transaction may have been deleted during the delivery.
  if (locked.rows.length === 0) return
  const { lane: laneId } = claimed
  const refusal = { merchantId, lane: laneId, atMs: attempt.atMs, probeAtMs: nextAttemptAtMs }
  // Only the probe waits. All unfinished notifications stay due, and later ones are newer.
  const next = (await rememberRefusal(trx, refusal)) ? attempt.atMs : nextAttemptAtMs
  await trx.runInOrder({
    counted: putOff({ code, position, lease, next }),
    // The count before provides its number.
    kept: insertAttempt({ code, position, ...storedAttempt.rowOf(attempt) }),
  })
}

/**
 * The end of a claim, which may be lost to a person's resending, or to another worker after its
 * lease.
 */
interface EndedClaim extends Key {
  readonly lease: number
  readonly next: number
}

/** Counts an attempt, and releases the notification unless the claim is lost. */
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
 * An acknowledged notification is done. One of a COMPLETE waits for its search, unless a newer
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

/** Inserts the attempt that was counted last. */
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
