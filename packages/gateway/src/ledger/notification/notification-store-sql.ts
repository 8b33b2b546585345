import { type Connection, type Database, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import type { ClaimedNotification, DeliveryAttempt } from '../../model/notification/notification.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import { type GatewayTables, storedAttempt } from '../database/gateway-tables.js'
import { blockAllButFirsts, isUnfinished, unsearched } from '../database/outbox.js'
import { lockTransaction } from '../database/transition.js'
import { probeAtOnce } from './failing-store-sql.js'
import { recordAttempt } from './notification-attempt-sql.js'
import { backlog, lastRefusal } from './notification-backlog-sql.js'
import { type ClaimRequest, claimDue } from './notification-claim-sql.js'

type Db = Connection<GatewayTables>

const findUnsearched = prepare((db: Db, { code }: { readonly code: number }) =>
  unsearched(db).where('transaction_code', '=', code),
)

export type NotificationStore = ReturnType<typeof createSqlNotificationStore>

export function createSqlNotificationStore(database: Database<GatewayTables>) {
  return {
    /**
     * Takes notifications that are due, each given to exactly one caller until its lease ends, even
     * when called concurrently. Of a transaction's notifications only the first of each kind that
     * does not rest is due. Of a store that has failed for long only one is taken, when its next
     * probe is due. Shares are counted before others' claims of the same moment, so several workers
     * may exceed them by as many as they take at once.
     */
    claimDue: (request: ClaimRequest) => claimDue(database, request),

    /**
     * Keeps an attempt and ends its claim. An acknowledged notification rests, and the next of its
     * transaction and kind is due; a COMPLETE rests only when its transaction was searched or has
     * changed since. The others are due again at `nextAttemptAtMs`, which is also when a store is
     * first probed that has now failed for long. An attempt whose notification was resent or
     * claimed anew meanwhile is kept and changes nothing else.
     */
    recordAttempt: (
      claimed: ClaimedNotification,
      attempt: DeliveryAttempt,
      nextAttemptAtMs: number,
    ) => database.transact((trx) => recordAttempt(trx, { claimed, attempt, nextAttemptAtMs })),

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

    /**
     * Makes a notification due again by hand, also while it is being delivered or its store is
     * probed, and lets later ones of its transaction and kind wait for it; false when there is
     * none.
     */
    resend: (code: TransactionCode, position: number, atMs: number) =>
      database.transact((trx) => resend(trx, { code, position }, atMs)),
  }
}

async function resend(
  trx: Db,
  key: { readonly code: TransactionCode; readonly position: number },
  atMs: number,
): Promise<boolean> {
  await trx.run(lockTransaction({ code: key.code }))
  const resent = await trx
    .updateTable('notifications')
    // Without its claim, a delivery that is under way says nothing about this one.
    .set({ next_attempt_at: atMs, done_at: null, acknowledged_at: null, lease_until: null })
    .where('transaction_code', '=', key.code)
    .where('position', '=', key.position)
    .returning('merchant_id')
    .executeTakeFirst()
  await trx.run(blockAllButFirsts({ code: key.code }))
  if (resent !== undefined) await probeAtOnce(trx, resent.merchant_id, atMs)
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
