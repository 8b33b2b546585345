import type { TransactionStatus } from '@cofre/contracts'
import { type Connection, type Database, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import type { ClaimedNotification, DeliveryAttempt } from '../../model/notification/notification.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import { takeBack } from '../archive/archive-move-sql.js'
import { type GatewayTables, storedAttempt } from '../database/gateway-tables.js'
import { blockAllButFirsts, isUnfinished, unsearched } from '../database/outbox.js'
import { lockTransaction } from '../database/transition.js'
import { probeAtOnce } from './failing-lane-sql.js'
import { recordAttempt } from './notification-attempt-sql.js'
import { type ClaimRequest, claimDue } from './notification-claim-sql.js'
import { notifyAgain } from './repeated-notification-sql.js'

type Db = Connection<GatewayTables>

const findUnsearched = prepare((db: Db, { code }: { readonly code: number }) =>
  unsearched(db).where('transaction_code', '=', code),
)

export function createSqlNotificationStore(database: Database<GatewayTables>) {
  return {
    ...repeatedIn(database),

    /**
     * Takes notifications that are due, each given to exactly one caller until its lease ends, even
     * when called concurrently. Of a transaction's notifications only the first of each kind that
     * does not rest is due. Of what was refused in a lane that has failed for long only one is
     * taken, when its next probe is due. Shares are counted before others' claims of the same
     * moment, so several workers may exceed them by as many as they take at once.
     */
    claimDue: (request: ClaimRequest) => claimDue(database, request),

    /**
     * Keeps an attempt and ends its claim. An acknowledged notification rests, and the next of its
     * transaction and kind is due; a COMPLETE rests only when its transaction was searched or has
     * changed since. The others are due again at `nextAttemptAtMs`, which is also when a store is
     * first probed that has now failed for long. An attempt whose notification was resent or
     * claimed anew meanwhile is kept and counted, and changes nothing else of it.
     */
    recordAttempt: (
      claimed: ClaimedNotification,
      attempt: DeliveryAttempt,
      nextAttemptAtMs: number,
    ) => recordAttempt(database, { claimed, attempt, nextAttemptAtMs }),

    /**
     * The store has seen that these transactions are paid: their COMPLETE rests, or will when it is
     * acknowledged.
     */
    recordSearch: (codes: readonly TransactionCode[], atMs: number) =>
      recordSearch(database, codes, atMs),

    /** Every attempt of a transaction's notifications, oldest first. */
    async attemptsOf(code: TransactionCode) {
      const rows = await database.reader
        .selectFrom('notification_attempts')
        .selectAll()
        .where('transaction_code', '=', code)
        .orderBy('position')
        .orderBy('attempt')
        .execute()
      return rows.map((row) => ({ position: row.position, ...storedAttempt.read(row) }))
    },

    /** Stores that have not acknowledged everything that was due. */
    backlog: () => backlog(database.reader),

    /** The latest attempt at what a store has not acknowledged; undefined when there is none. */
    lastRefusal: (merchantId: string) => lastRefusal(database.reader, merchantId),
  }
}

/** What is sent again by hand. */
function repeatedIn(database: Database<GatewayTables>) {
  return {
    /**
     * Makes a notification due again by hand, also while it is being delivered or its store is
     * probed, and lets later ones of its transaction and kind wait for it; false when there is
     * none.
     */
    resend: (code: TransactionCode, position: number, atMs: number) =>
      database.transact((trx) => resend(trx, { code, position }, atMs)),

    /** Queues one of the status; false when the transaction's status is another by now. */
    notifyAgain: (code: TransactionCode, status: TransactionStatus, atMs: number) =>
      database.transact((trx) => notifyAgain(trx, { code, status, atMs })),
  }
}

async function resend(
  trx: Db,
  key: { readonly code: TransactionCode; readonly position: number },
  atMs: number,
): Promise<boolean> {
  const locked = await trx.run(lockTransaction({ code: key.code }))
  if (locked.rows.length === 0) await takeBack(trx, [key.code])
  const resent = await trx
    .updateTable('notifications')
    // Without its claim, a delivery that is under way says nothing about this one.
    .set({ next_attempt_at: atMs, done_at: null, acknowledged_at: null, lease_until: null })
    .where('transaction_code', '=', key.code)
    .where('position', '=', key.position)
    .returning(['merchant_id', 'lane'])
    .executeTakeFirst()
  await trx.run(blockAllButFirsts({ code: key.code }))
  if (resent?.lane !== undefined && resent.lane !== null) await probeAtOnce(trx, resent.lane, atMs)
  return resent !== undefined
}

async function recordSearch(
  database: Database<GatewayTables>,
  codes: readonly TransactionCode[],
  atMs: number,
): Promise<void> {
  const [code] = codes
  if (code === undefined) return
  // Nearly every search finds nothing to record: learned without a unit of work.
  const waiting =
    codes.length === 1
      ? (await database.reader.run(findUnsearched({ code }))).rows
      : await unsearched(database.reader).where('transaction_code', 'in', codes).execute()
  if (waiting.length === 0) return
  const waitingCodes = waiting.map((row) => row.transaction_code)
  await database.transact((trx) =>
    trx
      .updateTable('notifications')
      .set({
        searched_at: atMs,
        done_at: sql<
          number | null
        >`case when acknowledged_at is null then null else cast(${atMs} as bigint) end`,
      })
      .where('transaction_code', 'in', waitingCodes)
      .where('status', '=', 'COMPLETE')
      .where(isUnfinished)
      .execute(),
  )
}

/** What came of an attempt that was not acknowledged. */
type NotificationRefusal = Pick<DeliveryAttempt, 'atMs' | 'statusCode' | 'error'>

/**
 * What waits for each store. Reads what is unfinished, which a partial index has, however many
 * notifications there were. Times in epoch milliseconds of the environment's clock.
 */
async function backlog(reader: Connection<GatewayTables>) {
  const rows = await reader
    .selectFrom('notifications')
    .leftJoin('acknowledging_stores', (join) =>
      join.onRef('acknowledging_stores.merchant_id', '=', 'notifications.merchant_id'),
    )
    .leftJoin('failing_lanes', (join) =>
      join.onRef('failing_lanes.lane', '=', 'notifications.lane'),
    )
    .select((select) => [
      'notifications.merchant_id',
      select.fn.countAll<number>().as('waiting'),
      select.fn.min<number>('created_at').as('oldest'),
      select.fn
        .min<number | null>('created_at')
        .filterWhere('attempts', '>', 0)
        .as('refused_since'),
      select.fn
        .min<number | null>('created_at')
        .filterWhere('attempts', '=', 0)
        .filterWhere('blocked', '=', 0)
        .as('unsent_since'),
      select.fn.count<number>('acknowledging_stores.merchant_id').as('acknowledging'),
      select.fn.count<number>('failing_lanes.probe_at').as('probed'),
    ])
    .where('done_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .groupBy('notifications.merchant_id')
    .orderBy('notifications.merchant_id')
    .execute()
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    /** Notifications that it has not acknowledged. */
    waiting: row.waiting,
    /** Creation of the oldest of them. */
    oldestMs: row.oldest,
    /** Of the oldest that it was sent and did not acknowledge; undefined when there is none. */
    refusedSinceMs: row.refused_since ?? undefined,
    /** Of the oldest whose turn it is and that was not sent yet; undefined when there is none. */
    unsentSinceMs: row.unsent_since ?? undefined,
    /** It was sent some of them, and did not acknowledge the last notification that it was sent. */
    isFailing: row.refused_since !== null && row.acknowledging === 0,
    /** A host or a kind has failed for long: one of what was refused is repeated every interval. */
    isProbed: row.probed > 0,
  }))
}

async function lastRefusal(
  reader: Connection<GatewayTables>,
  merchantId: string,
): Promise<NotificationRefusal | undefined> {
  const row = await reader
    .selectFrom('notifications')
    .innerJoin('notification_attempts', (join) =>
      join
        .onRef('notification_attempts.transaction_code', '=', 'notifications.transaction_code')
        .onRef('notification_attempts.position', '=', 'notifications.position')
        .onRef('notification_attempts.attempt', '=', 'notifications.attempts'),
    )
    .select(['at', 'status_code', 'error'])
    .where('merchant_id', '=', merchantId)
    .where('done_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    atMs: row.at,
    statusCode: row.status_code ?? undefined,
    error: row.error ?? undefined,
  }
}
