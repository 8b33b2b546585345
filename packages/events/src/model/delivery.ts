import type { EventDeliveryElement } from '@cofre/contracts'
import type { EventEndpoint } from './endpoint.js'
import type { EventKey, StoreEvent } from './event.js'

/** The state of an event at one endpoint. */
export interface EventDelivery {
  readonly endpoint: Pick<EventEndpoint, 'code' | 'url'>
  /**
   * `held`: the endpoint is disabled, or has failed for long and gets one delivery every interval
   * until it accepts one.
   */
  readonly state: EventDeliveryElement['state']
  readonly attempts: number
  readonly attemptedAtMs: number | undefined
  /** Undefined unless it is waiting, and is the first of its payment. */
  readonly nextAttemptAtMs: number | undefined
  readonly statusCode: number | undefined
  readonly error: string | undefined
}

export interface EventWithDeliveries {
  readonly event: StoreEvent
  readonly deliveries: readonly EventDelivery[]
}

/** An event that is due at an endpoint. */
export interface DeliveryKey extends Pick<EventKey, 'subject' | 'position'> {
  readonly endpointCode: string
}

/** A delivery that was claimed. */
export interface ClaimedDelivery extends DeliveryKey {
  /** Identifies the claim. By the machine's clock. */
  readonly leaseUntilMs: number
}

export interface DeliveryResult {
  readonly statusCode?: number | undefined
  readonly error?: string | undefined
}

/** As Standard Webhooks have it. */
export function acceptsEvent({ statusCode = 0 }: DeliveryResult): boolean {
  return statusCode >= 200 && statusCode < 300
}

/** One POST to an endpoint. */
export interface OutgoingEvent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Makes one attempt over one connection, within a bounded time: to public addresses alone, and
 * those allowed by the operator. The sender of notifications is one.
 */
export interface EventSender {
  send(event: OutgoingEvent): Promise<DeliveryResult>
}
