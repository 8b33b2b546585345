import { DAY_MS, EVENTS_KEPT_DAYS, type EventType, type Secret, drawText } from '@cofre/contracts'

/** An address of a store that receives events. */
export interface EventEndpoint {
  readonly code: string
  readonly storeId: string
  readonly url: string
  /** Undefined for all, those of later releases too. */
  readonly types: readonly EventType[] | undefined
  readonly enabled: boolean
  readonly createdAtMs: number
  /** Since when it has accepted nothing; undefined if it accepted the last. */
  readonly failingSinceMs: number | undefined
  /** The last attempt that it did not accept, even if it accepted others since. */
  readonly lastRefusal: EndpointRefusal | undefined
  /** Until when the secret before signs too, by the machine's clock. */
  readonly previousUntilMs: number | undefined
}

/** The endpoint of a store. */
export interface EndpointKey {
  readonly storeId: string
  readonly code: string
}

export interface EndpointRefusal {
  readonly atMs: number
  readonly statusCode: number | undefined
  readonly error: string | undefined
}

/** The endpoint of a new secret, which is shown once. */
export interface WithSecret {
  readonly endpoint: EventEndpoint
  readonly secret: Secret<string>
}

export const EVENTS_KEPT_MS: number = EVENTS_KEPT_DAYS * DAY_MS

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const CODE_LENGTH = 24

export function drawEndpointCode(randomBelow: (limit: number) => number): string {
  return `ep_${drawText(ALPHABET, CODE_LENGTH, randomBelow)}`
}
