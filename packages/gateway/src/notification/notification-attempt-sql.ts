import { type Kysely, sql } from 'kysely'
import type { GatewayTables, NotificationRow } from '../database/gateway-tables.js'
import { blockAllButFirsts } from '../database/outbox.js'
import { lockTransaction } from '../database/transaction-lock.js'
import { rememberAcceptance, rememberRefusal } from './failing-store-sql.js'
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
  const isProbed = await rememberStore(unit, record)
  // It was sent again by hand, or taken over by a worker after this one's lease had ended.
  if (row.lease_until !== claimed.leaseUntilMs) return
  const rests = isAcknowledged && (await mayRest(unit, claimed, row))
  await endClaim(unit, record, { rests, isProbed })
  if (rests) await blockAllButFirsts(unit, claimed.transactionCode)
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

/** Whether a store's last attempt was acknowledged decides its share of the deliveries. @returns whether it is probed */
async function rememberStore(
  unit: Unit,
  { claimed: { merchantId }, attempt, nextAttemptAtMs }: DeliveryRecord,
): Promise<boolean> {
  if (!acknowledges(attempt))
    return await rememberRefusal(unit, {
      merchantId,
      atMs: attempt.atMs,
      probeAtMs: nextAttemptAtMs,
    })
  await rememberAcceptance(unit, merchantId)
  return false
}

/** An acknowledged COMPLETE waits for its search, unless a newer status waits behind it. */
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
    .where('refund_id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return newer !== undefined
}

async function endClaim(
  unit: Unit,
  { claimed, attempt, nextAttemptAtMs }: DeliveryRecord,
  { rests, isProbed }: { readonly rests: boolean; readonly isProbed: boolean },
): Promise<void> {
  await unit
    .updateTable('notifications')
    .set({
      lease_until: null,
      // The probe is what waits. All that is unfinished stays due, and what was created since is newer.
      next_attempt_at: isProbed ? attempt.atMs : nextAttemptAtMs,
      ...(acknowledges(attempt) && { acknowledged_at: attempt.atMs }),
      ...(rests && { done_at: attempt.atMs }),
    })
    .where('transaction_code', '=', claimed.transactionCode)
    .where('position', '=', claimed.position)
    .execute()
}
