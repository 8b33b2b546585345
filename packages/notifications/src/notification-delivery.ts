import { type Clock, type Environment, SECOND_MS } from '@cofre/contracts'
import {
  DELIVERY_LEASE_MS,
  type DeskStores,
  type Merchant,
  type Notification,
  messageOf,
  notificationSecrets,
  signedHeaders,
} from '@cofre/gateway/room'
import {
  type ClaimedNotification,
  type NotificationSender,
  type OutgoingNotification,
  type SendResult,
  acknowledges,
  notificationId,
} from './model/sending.js'
import type { StoreShares } from './model/store-shares.js'
import type { NotificationStore } from './sql/notification-store-sql.js'

export interface ClaimNotificationsDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly shares: StoreShares
  readonly notifyIntervalMs: number
  readonly notifyDelayMs: number
  readonly notifications: Pick<NotificationStore, 'claimDue'>
}

/** Claims due notifications. */
export async function claimNotifications(
  deps: ClaimNotificationsDeps,
  limit: number,
): Promise<readonly ClaimedNotification[]> {
  const nowMs = deps.clock.now()
  return await deps.notifications.claimDue({
    nowMs,
    machineNowMs: deps.machineClock.now(),
    leaseMs: DELIVERY_LEASE_MS,
    limit,
    shares: deps.shares,
    nextProbeAtMs: nowMs + deps.notifyIntervalMs,
    longestPauseMs: Math.max(deps.notifyIntervalMs, deps.notifyDelayMs),
  })
}

export interface DeliveryDeps {
  readonly environment: Environment
  readonly clock: Clock
  readonly machineClock: Clock
  readonly shares: StoreShares
  readonly sender: NotificationSender
  readonly notifyIntervalMs: number
  readonly stores: Pick<DeskStores, 'find'>
  readonly notifications: Pick<NotificationStore, 'recordAttempt'>
}

/**
 * Sends a claimed notification and records the attempt. The next attempt is due a whole interval
 * after this one was sent.
 */
export async function deliver(
  deps: DeliveryDeps,
  notification: ClaimedNotification,
): Promise<void> {
  const merchant = await deps.stores.find(notification.merchantId)
  const sentAtMs = deps.clock.now()
  const result = await send(deps, notification, merchant)
  const attempt = {
    atMs: sentAtMs,
    statusCode: result.statusCode,
    error: result.error,
    durationMs: Math.round(result.durationMs),
    responseExcerpt: result.responseExcerpt,
  }
  if (acknowledges(attempt)) deps.shares.acknowledged(notification.merchantId)
  else deps.shares.refused(notification.merchantId)
  await deps.notifications.recordAttempt(notification, attempt, sentAtMs + deps.notifyIntervalMs)
}

async function send(
  deps: DeliveryDeps,
  notification: Notification,
  merchant: Merchant | undefined,
): Promise<SendResult> {
  // An unsigned notification is never sent: a receiver could not distinguish it from a forgery.
  if (merchant === undefined) return { error: 'store_unknown', durationMs: 0, responseExcerpt: '' }
  return await deps.sender.send(outgoingOf(deps, notification, merchant))
}

export interface CopyDeliveryDeps {
  readonly environment: Environment
  readonly machineClock: Clock
}

/**
 * The request that the store receives for its notification. Each attempt is signed anew, because
 * the signature covers the time.
 */
export function outgoingOf(
  { environment, machineClock }: CopyDeliveryDeps,
  notification: Notification,
  merchant: Merchant,
): OutgoingNotification {
  const { contentType, body } = messageOf(notification, environment === 'sandbox')
  const signature = signedHeaders({
    id: notificationId(notification),
    timestampSeconds: Math.floor(machineClock.now() / SECOND_MS),
    body,
    secrets: notificationSecrets(merchant, machineClock.now()),
  })
  return { url: notification.url, headers: { 'Content-Type': contentType, ...signature }, body }
}
