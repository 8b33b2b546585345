import type { ClaimResult, IdempotencyClaim, StoredAnswer } from './idempotency-key.js'

export interface IdempotencyStore {
  /**
   * Of concurrent claims of one key exactly one may run. Keys older than their lifetime are
   * forgotten.
   */
  claim(claim: IdempotencyClaim): Promise<ClaimResult>
  /**
   * Keeps the answer for later requests with the key, unless another request has taken the key
   * over.
   */
  keepAnswer(claim: IdempotencyClaim, answer: StoredAnswer): Promise<void>
  /**
   * Frees the key of a request that was refused: it may be sent again, mended. Not one that was
   * taken over.
   */
  release(claim: IdempotencyClaim): Promise<void>
  /** Lets the next request with the key take it over at once. */
  abandon(claim: IdempotencyClaim): Promise<void>
}
