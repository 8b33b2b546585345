import type { TransactionStatus } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import {
  type DeliveryAttempt,
  type GatewayTables,
  type TransactionCode,
  blockAllButFirsts,
  lockToChange,
  notifyAgain,
} from '@cofre/gateway/room'
import type { ClaimedNotification } from '../model/sending.js'
import { probeAtOnce } from './failing-lane-sql.js'
import { recordAttempt } from './notification-attempt-sql.js'
import { type ClaimRequest, claimDue } from './notification-claim-sql.js'

type Db = Connection<GatewayTables>

export type NotificationStore = ReturnType<typeof createSqlNotificationStore>

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
      database.transact(async (trx) => {
        const lane = await notifyAgain(trx, { code, status, atMs })
        if (lane !== undefined) await probeAtOnce(trx, lane, atMs)
        return lane !== undefined
      }),
  }
}

async function resend(
  trx: Db,
  key: { readonly code: TransactionCode; readonly position: number },
  atMs: number,
): Promise<boolean> {
  await lockToChange(trx, key.code)
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
