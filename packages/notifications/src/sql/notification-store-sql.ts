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
     * Claims due notifications, each for exactly one caller until its lease ends, even when called
     * concurrently. Of a transaction's notifications, only the first unrested one of each kind is
     * due. In a lane that has failed for long, only one refused notification is claimed, at the
     * next probe. Shares ignore concurrent claims of the same moment, so several workers may exceed
     * them by one claim each.
     */
    claimDue: (request: ClaimRequest) => claimDue(database, request),

    /**
     * Records an attempt and ends its claim. An acknowledged notification rests, and the next of
     * its transaction and kind is due. A COMPLETE rests only after its transaction was searched or
     * has changed. Other notifications are due again at `nextAttemptAtMs`, which is also the first
     * probe of a store that has now failed for long. If the notification was resent or claimed
     * again meanwhile, the attempt is only recorded and counted.
     */
    recordAttempt: (
      claimed: ClaimedNotification,
      attempt: DeliveryAttempt,
      nextAttemptAtMs: number,
    ) => recordAttempt(database, { claimed, attempt, nextAttemptAtMs }),
  }
}

/** The repetitions that people request. */
function repeatedIn(database: Database<GatewayTables>) {
  return {
    /**
     * Makes a notification due again for a person, also while it is being delivered or its store is
     * probed. Later ones of its transaction and kind wait for it. False if there is no such
     * notification.
     */
    resend: (code: TransactionCode, position: number, atMs: number) =>
      database.transact((trx) => resend(trx, { code, position }, atMs)),

    /** Queues a notification of the status; false if the transaction's status has changed. */
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
    // Without its claim, a delivery in progress does not change this one.
    .set({ next_attempt_at: atMs, done_at: null, acknowledged_at: null, lease_until: null })
    .where('transaction_code', '=', key.code)
    .where('position', '=', key.position)
    .returning(['merchant_id', 'lane'])
    .executeTakeFirst()
  await trx.run(blockAllButFirsts({ code: key.code }))
  if (resent?.lane !== undefined && resent.lane !== null) await probeAtOnce(trx, resent.lane, atMs)
  return resent !== undefined
}
