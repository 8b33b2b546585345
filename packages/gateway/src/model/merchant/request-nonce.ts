/**
 * The nonce of a signed POST: a store uses it once, so no other party can send the request again.
 */
export interface RequestNonce {
  readonly merchantId: string
  readonly nonce: string
  /** Drawn for the request on its arrival: the same request again has another one. */
  readonly requestId: string
  /** From then on, the signature is too old. Epoch milliseconds, by the machine's clock. */
  readonly untilMs: number
}
