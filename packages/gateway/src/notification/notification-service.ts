import { type Clock, type Environment, type Log, SECOND_MS } from '@cofre/contracts'
import { liveSecrets } from '../merchant/merchant.js'
import type { MerchantStore } from '../merchant/merchant-store.js'
import { type Notification, messageOf, notificationId, pauseMs } from './notification.js'
import type { NotificationSender, SendResult } from './notification-sender.js'
import type { NotificationStore } from './notification-store.js'
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
  /** A uniform integer from 0 up to, not including, its argument. */
  readonly randomBelow: (limit: number) => number
  readonly log: Log
}

/** Somewhat above the sender's time-out, so that a claim outlives its delivery. */
const LEASE_MS = 15 * SECOND_MS
const PER_MERCHANT_AT_ONCE = 16
const JITTER_STEPS = 1000

/** Takes notifications that are due, at most so many. */
export async function claimNotifications(
  { notifications, clock, machineClock }: NotificationDeps,
  limit: number,
): Promise<readonly Notification[]> {
  return await notifications.claimDue({
    nowMs: clock.now(),
    machineNowMs: machineClock.now(),
    leaseMs: LEASE_MS,
    limit,
    perMerchant: PER_MERCHANT_AT_ONCE,
  })
}

/** Sends a claimed notification and keeps the attempt. */
export async function deliver(deps: NotificationDeps, notification: Notification): Promise<void> {
  const result = await send(deps, notification)
  const nowMs = deps.clock.now()
  const random = deps.randomBelow(JITTER_STEPS) / JITTER_STEPS
  const pause = pauseMs(nowMs - notification.createdAtMs, deps.notifyIntervalMs, random)
  const attempt = {
    atMs: nowMs,
    statusCode: result.statusCode,
    error: result.error,
    durationMs: Math.round(result.durationMs),
    responseExcerpt: result.responseExcerpt,
  }
  await deps.notifications.recordAttempt(notification, attempt, nowMs + pause)
}

/** The signature is made afresh for each attempt, because it covers the time. */
async function send(deps: NotificationDeps, notification: Notification): Promise<SendResult> {
  const { environment, merchants, machineClock, sender } = deps
  const { contentType, body } = messageOf(notification, environment === 'sandbox')
  const merchant = await merchants.find(notification.merchantId)
  const signature =
    merchant === undefined
      ? {}
      : signedHeaders({
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
