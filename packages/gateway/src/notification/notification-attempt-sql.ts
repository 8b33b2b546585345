import { type Kysely, sql } from 'kysely'
import type { GatewayTables, NotificationRow } from '../database/gateway-tables.js'
import { blockAllButFirst } from '../database/outbox.js'
import { lockTransaction } from '../database/transaction-lock.js'
import { type DeliveryAttempt, acknowledges, awaitsSearch } from './notification.js'
import type { ClaimedNotification } from './notification-store.js'

type Unit = Kysely<GatewayTables>

/** What came of a delivery. */
export interface DeliveryRecord {
  readonly claimed: ClaimedNotification
  readonly attempt: DeliveryAttempt
  readonly nextAttemptAtMs: number
}

/** Keeps an attempt and ends its claim: see {@link NotificationStore.recordAttempt}. */
export async function recordAttempt(unit: Unit, record: DeliveryRecord): Promise<void> {
  const { claimed, attempt } = record
  // Its transaction may have been deleted while it was under way.
  if (!(await lockTransaction(unit, claimed.transactionCode))) return
  const row = await keepAttempt(unit, claimed, attempt)
  const isAcknowledged = acknowledges(attempt)
  await rememberStore(unit, claimed.merchantId, isAcknowledged)
  // It was sent again by hand, or taken over by a worker after this one's lease had ended.
  if (row.lease_until !== claimed.leaseUntilMs) return
  const rests = isAcknowledged && (await mayRest(unit, claimed, row))
  await endClaim(unit, record, rests)
  if (rests) await blockAllButFirst(unit, claimed.transactionCode)
}

async function keepAttempt(
  unit: Unit,
  { transactionCode, position }: ClaimedNotification,
  attempt: DeliveryAttempt,
): Promise<NotificationRow> {
  const row = await unit
    .updateTable('notifications')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('transaction_code', '=', transactionCode)
    .where('position', '=', position)
    .returningAll()
    .executeTakeFirstOrThrow()
  await unit
    .insertInto('notification_attempts')
    .values({
      transaction_code: transactionCode,
      position,
      attempt: row.attempts,
      at: attempt.atMs,
      status_code: attempt.statusCode ?? null,
      error: attempt.error ?? null,
      duration_ms: attempt.durationMs,
      response_excerpt: attempt.responseExcerpt,
    })
    .execute()
  return row
}

/** Whether a store's last attempt was acknowledged decides its share of the deliveries. */
async function rememberStore(
  unit: Unit,
  merchantId: string,
  isAcknowledged: boolean,
): Promise<void> {
  if (isAcknowledged)
    await unit
      .insertInto('acknowledging_stores')
      .values({ merchant_id: merchantId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await unit.deleteFrom('acknowledging_stores').where('merchant_id', '=', merchantId).execute()
}

/** An acknowledged COMPLETE waits for its search, unless a newer change waits behind it. */
async function mayRest(
  unit: Unit,
  claimed: ClaimedNotification,
  row: NotificationRow,
): Promise<boolean> {
  if (!awaitsSearch(claimed) || row.searched_at !== null) return true
  const newer = await unit
    .selectFrom('notifications')
    .select('position')
    .where('transaction_code', '=', claimed.transactionCode)
    .where('position', '>', claimed.position)
    .limit(1)
    .executeTakeFirst()
  return newer !== undefined
}

async function endClaim(
  unit: Unit,
  { claimed, attempt, nextAttemptAtMs }: DeliveryRecord,
  rests: boolean,
): Promise<void> {
  await unit
    .updateTable('notifications')
    .set({
      lease_until: null,
      next_attempt_at: nextAttemptAtMs,
      ...(acknowledges(attempt) && { acknowledged_at: attempt.atMs }),
      ...(rests && { done_at: attempt.atMs }),
    })
    .where('transaction_code', '=', claimed.transactionCode)
    .where('position', '=', claimed.position)
    .execute()
}
