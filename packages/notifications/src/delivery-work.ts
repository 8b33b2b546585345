import { type Log, SECOND_MS } from '@cofre/contracts'
import { type DueWork, countByMinute, pause } from '@cofre/work'
import type { ClaimedNotification } from './model/sending.js'
import { DELIVERIES_AT_ONCE } from './model/store-shares.js'
import {
  type ClaimNotificationsDeps,
  type DeliveryDeps,
  claimNotifications,
  deliver,
} from './notification-delivery.js'

const SOON_MS = SECOND_MS / 4
/** Lets several deliveries end before the next claim, so that a claim takes several. */
const GATHER_MS = 2

export type NotificationWork = DueWork<'notifications'>

/** The dependencies of deliveries. */
export interface DeliveryParts extends ClaimNotificationsDeps, DeliveryDeps {
  readonly notifications: ClaimNotificationsDeps['notifications'] & DeliveryDeps['notifications']
  readonly log: Log
}

/** Sends due notifications. */
export function deliveryWork(parts: DeliveryParts): NotificationWork {
  return { name: 'notifications', everyMs: SOON_MS, run: deliveries(parts) }
}

/** Claims soon after a delivery ends, and never waits for a slow receiver longer than a pause. */
function deliveries(deps: DeliveryParts): NotificationWork['run'] {
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
  const underWay = new Set<Promise<void>>()
  return async ({ beside, looked, signal }) => {
    while (!signal.aborted) {
      const places = DELIVERIES_AT_ONCE - underWay.size
      if (places > 0) {
        for (const notification of await claimNotifications(deps, places)) {
          const delivery = deliver(deps, notification)
            .catch((error: unknown) => {
              logFailure(notification, error)
            })
            .finally(() => underWay.delete(delivery))
          underWay.add(delivery)
          beside(delivery)
        }
        looked()
      }
      if (underWay.size === 0) return
      await Promise.race([...underWay, pause(SOON_MS, signal)])
      await pause(GATHER_MS, signal)
    }
  }
}
