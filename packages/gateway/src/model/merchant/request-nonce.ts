/** The nonce of a signed POST: a store uses one once, so nobody else can send the request again. */
export interface RequestNonce {
  readonly merchantId: string
  readonly nonce: string
  /** Drawn for the request as it arrived: the same request again has another. */
  readonly requestId: string
  /** From then on the signature is too old anyway. Epoch milliseconds, by the machine's clock. */
  readonly untilMs: number
}
