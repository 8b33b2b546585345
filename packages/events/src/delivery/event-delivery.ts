import {
  type Clock,
  type Environment,
  type EventMessage,
  SECOND_MS,
  Secret,
} from '@cofre/contracts'
import { DELIVERY_LEASE_MS, signedHeaders } from '@cofre/gateway/room'
import {
  type ClaimedDelivery,
  type DeliveryResult,
  type EventSender,
  type OutgoingEvent,
} from '../model/delivery.js'
import { type StoreEvent, eventCode, shownData } from '../model/event.js'
import type { DeliveryStore, DueEvent } from '../sql/delivery-store-sql.js'

export interface DeliveryDeps {
  readonly environment: Environment
  readonly clock: Clock
  readonly machineClock: Clock
  /** Milliseconds between attempts. */
  readonly notifyIntervalMs: number
  /** Milliseconds between a creation and the time when its event is due. */
  readonly notifyDelayMs: number
  readonly sender: EventSender
  readonly deliveries: Pick<DeliveryStore, 'claimDue' | 'due' | 'recordAttempt'>
}

export async function claimDeliveries(
  deps: DeliveryDeps,
  limit: number,
): Promise<readonly ClaimedDelivery[]> {
  const nowMs = deps.clock.now()
  return await deps.deliveries.claimDue({
    nowMs,
    machineNowMs: deps.machineClock.now(),
    leaseMs: DELIVERY_LEASE_MS,
    limit,
    nextProbeAtMs: nowMs + deps.notifyIntervalMs,
    longestPauseMs: Math.max(deps.notifyIntervalMs, deps.notifyDelayMs),
  })
}

/** Sends a claimed event and records the attempt. The next is due an interval after this one. */
export async function deliver(deps: DeliveryDeps, claimed: ClaimedDelivery): Promise<void> {
  const { clock, deliveries, machineClock, notifyIntervalMs } = deps
  const due = await deliveries.due(claimed, machineClock.now())
  if (due === undefined) return
  const atMs = clock.now()
  const { statusCode, error } = await send(deps, due)
  const nextAttemptAtMs = atMs + notifyIntervalMs
  await deliveries.recordAttempt(claimed, { statusCode, error, atMs, nextAttemptAtMs })
}

/** Nothing is sent unsigned: a receiver could not distinguish it from a forgery. */
async function send(deps: DeliveryDeps, due: DueEvent): Promise<DeliveryResult> {
  const [current, ...previous] = due.secrets
  if (current === undefined) return { error: 'secret_unreadable' }
  const secrets = [current, ...previous] as const
  return await deps.sender.send(outgoingOf(deps, { ...due, secrets }))
}

interface SignedEvent {
  readonly event: StoreEvent
  readonly url: string
  readonly secrets: readonly [Secret<string>, ...Secret<string>[]]
}

/** Each attempt is signed anew, because the signature covers the time. */
function outgoingOf(
  { environment, machineClock }: Pick<DeliveryDeps, 'environment' | 'machineClock'>,
  { event, url, secrets: [current, ...previous] }: SignedEvent,
): OutgoingEvent {
  const message: EventMessage = {
    type: event.type,
    timestamp: new Date(event.createdAtMs).toISOString(),
    environment,
    data: shownData(event.data),
  }
  const body = JSON.stringify(message)
  const signature = signedHeaders({
    id: eventCode(event),
    timestampSeconds: Math.floor(machineClock.now() / SECOND_MS),
    body,
    secrets: [keyOf(current), ...previous.map(keyOf)],
  })
  return { url, headers: { 'Content-Type': 'application/json', ...signature }, body }
}

const PREFIX = 'whsec_'

function keyOf(secret: Secret<string>): Secret<Buffer> {
  return new Secret(Buffer.from(secret.reveal().slice(PREFIX.length), 'base64'))
}
