import { type Log, SECOND_MS } from '@cofre/contracts'
import { type DueWork, countByMinute, sideBySide } from '@cofre/work'
import type { ClaimedNotification } from './model/sending.js'
import { DELIVERIES_AT_ONCE } from './model/store-shares.js'
import {
  type ClaimNotificationsDeps,
  type DeliveryDeps,
  claimNotifications,
  deliver,
} from './notification-delivery.js'

const SOON_MS = SECOND_MS / 4

export type NotificationWork = DueWork<'notifications'>

/** The dependencies of deliveries. */
export interface DeliveryParts extends ClaimNotificationsDeps, DeliveryDeps {
  readonly notifications: ClaimNotificationsDeps['notifications'] & DeliveryDeps['notifications']
  readonly log: Log
}

/** Sends due notifications. */
export function deliveryWork(deps: DeliveryParts): NotificationWork {
  const { environment, log } = deps
  // Many deliveries run at once, so a success ends no outage: failures are logged once a minute.
  const count = countByMinute()
  const logFailure = (
    { transactionCode: transaction, position }: ClaimedNotification,
    error: unknown,
  ): void => {
    const failures = count.add()
    if (failures === 0) return
    const fields = { environment, failures, transaction, position, error }
    log.error(fields, 'a delivery could not be made or recorded')
  }
  const run = sideBySide({
    atOnce: DELIVERIES_AT_ONCE,
    claim: (limit) => claimNotifications(deps, limit),
    work: (notification) => deliver(deps, notification),
    logFailure,
  })
  return { name: 'notifications', everyMs: SOON_MS, run }
}
