import { prepare } from '@cofre/sql'
import { type Kysely, sql } from 'kysely'
import type {
  GatewayTables,
  NotificationAttemptRow,
  NotificationRow,
} from '../database/gateway-tables.js'
import { blockAllButFirsts } from '../database/outbox.js'
import { lockTransaction } from '../database/transaction-lock.js'
import { rememberAcceptance, rememberRefusal } from './failing-store-sql.js'
import {
  type DeliveryAttempt,
  acknowledges,
  awaitsSearch,
} from '../../model/notification/notification.js'
import type { ClaimedNotification } from '../../model/notification/notification-store.js'

type Unit = Kysely<GatewayTables>

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
  endClaim(unit, record, { rests, isProbed })
  if (rests) blockAllButFirsts(unit, claimed.transactionCode)
}

const countAttempt = prepare((unit: Unit, { code, position }: Key) =>
  unit
    .updateTable('notifications')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('transaction_code', '=', code)
    .where('position', '=', position)
    .returning(['attempts', 'lease_until', 'searched_at']),
)

const insertAttempt = prepare((unit: Unit, row: NotificationAttemptRow) =>
  unit.insertInto('notification_attempts').values(row),
)

async function keepAttempt(
  unit: Unit,
  { transactionCode: code, position }: ClaimedNotification,
  attempt: DeliveryAttempt,
): Promise<CountedAttempt> {
  const row = await countAttempt.first(unit, { code, position })
  if (row === undefined) throw new Error('a transaction is deleted together with its notifications')
  insertAttempt.later(unit, {
    transaction_code: code,
    position,
    attempt: row.attempts,
    at: attempt.atMs,
    status_code: attempt.statusCode ?? null,
    error: attempt.error ?? null,
    duration_ms: attempt.durationMs,
    response_excerpt: attempt.responseExcerpt,
  })
  return row
}

/**
 * Whether a store's last attempt was acknowledged decides its share of the deliveries.
 * @returns whether it is probed
 */
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
  rememberAcceptance(unit, merchantId)
  return false
}

/** An acknowledged COMPLETE waits for its search, unless a newer status waits behind it. */
async function mayRest(
  unit: Unit,
  claimed: ClaimedNotification,
  row: CountedAttempt,
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

interface EndedClaim extends Key {
  readonly next_attempt_at: number
  readonly acknowledged_at: number | null
  readonly done_at: number | null
}

const endClaimOf = prepare(
  (unit: Unit, { code, position, next_attempt_at, ...columns }: EndedClaim) =>
    unit
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

function endClaim(
  unit: Unit,
  { claimed, attempt, nextAttemptAtMs }: DeliveryRecord,
  { rests, isProbed }: { readonly rests: boolean; readonly isProbed: boolean },
): void {
  endClaimOf.later(unit, {
    code: claimed.transactionCode,
    position: claimed.position,
    // The probe is what waits. All that is unfinished stays due, and what was created since is
    // newer.
    next_attempt_at: isProbed ? attempt.atMs : nextAttemptAtMs,
    acknowledged_at: acknowledges(attempt) ? attempt.atMs : null,
    done_at: rests ? attempt.atMs : null,
  })
}
