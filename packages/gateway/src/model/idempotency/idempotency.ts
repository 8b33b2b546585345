import type { RequestNonce } from '../merchant/request-nonce.js'
import { DAY_MS, IDEMPOTENCY_KEY_LENGTH_MAX, MINUTE_MS } from '@cofre/contracts'

/** How long a response is replayed. */
export const IDEMPOTENCY_LIFETIME_MS = DAY_MS
/** After this time, a request without a response counts as ended with its process. */
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
  /** As sent, and as release 0.2 stored it: 1 to 255 visible ASCII characters. */
  readonly plainKey: string
  /** Digest of the request target and body. */
  readonly fingerprint: string
  /** An order, which may be the same in other bytes. */
  readonly order?: ClaimedOrder | undefined
  /** Sets how long the response is replayed. Epoch milliseconds, by the environment's clock. */
  readonly atMs: number
  /** Sets how long the request may run. Epoch milliseconds, by the machine's clock. */
  readonly machineAtMs: number
  /** Recorded with the claim. */
  readonly nonce?: RequestNonce | undefined
}

/** Recognizes an order. */
export interface ClaimedOrder {
  readonly fingerprint: string
  readonly isOf: (fingerprint: string) => boolean
}

/**
 * The result of a claim. `run`: the caller responds to the request; `isRetry` if an earlier one of
 * the same key and body ended without a response.
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
