import type { RequestNonce } from '../merchant/request-nonce.js'
import { DAY_MS, IDEMPOTENCY_KEY_LENGTH_MAX, MINUTE_MS } from '@cofre/contracts'

/** How long a response is replayed. */
export const IDEMPOTENCY_LIFETIME_MS = DAY_MS
/** After which a request without a response is taken to have died with its process. */
export const IDEMPOTENCY_LEASE_MS: number = MINUTE_MS

/** A response as it was sent the first time. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One use of an `Idempotency-Key`. */
export interface IdempotencyClaim {
  readonly merchantId: string
  /** A digest of the key, made with a key of the gateway. */
  readonly key: string
  /** As it was sent, and as release 0.2 kept it: 1 to 255 visible ASCII characters. */
  readonly plainKey: string
  /** Digest of the request target and body. */
  readonly fingerprint: string
  /** Of an order, which may be the same in other bytes. */
  readonly order?: ClaimedOrder | undefined
  /** By the environment's clock, for how long the response is replayed. Epoch milliseconds. */
  readonly atMs: number
  /** By the machine's clock, for how long the request may run. Epoch milliseconds. */
  readonly machineAtMs: number
  /** Kept with the claim. */
  readonly nonce?: RequestNonce | undefined
}

/** By what an order is recognized. */
export interface ClaimedOrder {
  readonly fingerprint: string
  readonly isOf: (fingerprint: string) => boolean
}

/**
 * What a claim finds. `run`: the caller responds to the request; `isRetry` when an earlier one
 * of the same key and body died without a response.
 */
export type ClaimResult =
  | { readonly kind: 'run'; readonly isRetry: boolean }
  | { readonly kind: 'replay'; readonly response: StoredResponse }
  | { readonly kind: 'other_request' }
  | { readonly kind: 'in_progress' }
  /** Another request has used it: this one was captured and sent again. */
  | { readonly kind: 'nonce_used' }

export function isIdempotencyKey(text: string): boolean {
  return text.length <= IDEMPOTENCY_KEY_LENGTH_MAX && /^[\x21-\x7e]+$/.test(text)
}
