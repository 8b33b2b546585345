import { type Clock, type Environment, type Log, SECOND_MS } from '@cofre/contracts'
import { liveSecrets } from '../model/merchant/merchant.js'
import type { MerchantStore } from '../model/merchant/merchant-store.js'
import {
  type Notification,
  acknowledges,
  messageOf,
  notificationId,
  pauseMs,
} from '../model/notification/notification.js'
import type { NotificationSender, SendResult } from '../model/notification/notification-sender.js'
import type {
  ClaimedNotification,
  NotificationStore,
} from '../model/notification/notification-store.js'
import type { StoreShares } from '../model/notification/store-shares.js'
import { signedHeaders } from './webhook-signature.js'

export interface NotificationDeps {
  readonly environment: Environment
  readonly notifications: NotificationStore
  readonly merchants: MerchantStore
  readonly sender: NotificationSender
  readonly clock: Clock
  /** The machine's own time, for leases and signatures. */
  readonly machineClock: Clock
  /** Milliseconds between attempts. */
  readonly notifyIntervalMs: number
  /** Milliseconds from the answer of a creation to the notification of the status that it tells. */
  readonly notifyDelayMs: number
  readonly shares: StoreShares
  /** A uniform integer from 0 up to, not including, its argument. */
  readonly randomBelow: (limit: number) => number
  readonly log: Log
}

/** Somewhat above the sender's time-out, so that a claim outlives its delivery. */
const LEASE_MS = 15 * SECOND_MS
const JITTER_STEPS = 1000

/** Takes notifications that are due, at most so many. */
export async function claimNotifications(
  deps: NotificationDeps,
  limit: number,
): Promise<readonly ClaimedNotification[]> {
  const nowMs = deps.clock.now()
  return await deps.notifications.claimDue({
    nowMs,
    machineNowMs: deps.machineClock.now(),
    leaseMs: LEASE_MS,
    limit,
    shares: deps.shares,
    nextProbeAtMs: nowMs + drawPauseMs(deps),
    longestPauseMs: Math.max(deps.notifyIntervalMs, deps.notifyDelayMs),
  })
}

/** Sends a claimed notification and keeps the attempt. The pause to the next counts from when this one was sent. */
export async function deliver(
  deps: NotificationDeps,
  notification: ClaimedNotification,
): Promise<void> {
  const sentAtMs = deps.clock.now()
  const result = await send(deps, notification)
  const attempt = {
    atMs: sentAtMs,
    statusCode: result.statusCode,
    error: result.error,
    durationMs: Math.round(result.durationMs),
    responseExcerpt: result.responseExcerpt,
  }
  if (acknowledges(attempt)) deps.shares.acknowledged(notification.merchantId)
  else deps.shares.refused(notification.merchantId)
  await deps.notifications.recordAttempt(notification, attempt, sentAtMs + drawPauseMs(deps))
}

function drawPauseMs({ notifyIntervalMs, randomBelow }: NotificationDeps): number {
  return pauseMs(notifyIntervalMs, randomBelow(JITTER_STEPS) / JITTER_STEPS)
}

/** The signature is made afresh for each attempt, because it covers the time. */
async function send(deps: NotificationDeps, notification: Notification): Promise<SendResult> {
  const { environment, merchants, machineClock, sender } = deps
  const { contentType, body } = messageOf(notification, environment === 'sandbox')
  const merchant = await merchants.find(notification.merchantId)
  // Nothing goes out unsigned: whoever receives it could not tell it from a forgery.
  if (merchant === undefined) return { error: 'store_unknown', durationMs: 0, responseExcerpt: '' }
  const signature = signedHeaders({
    id: notificationId(notification),
    timestampSeconds: Math.floor(machineClock.now() / SECOND_MS),
    body,
    secrets: liveSecrets(merchant, machineClock.now()),
  })
  return await sender.send({
    url: notification.url,
    headers: { 'Content-Type': contentType, ...signature },
    body,
  })
}
