/** A request to the sandbox's API, and its answer. Card numbers, CVVs and tokens are masked. */
export interface RecordedRequest {
  readonly id: number
  readonly atMs: number
  readonly method: string
  /** Path with its query. */
  readonly target: string
  readonly statusCode: number
  readonly durationMs: number
  readonly transactionCode: string | undefined
  /** JSON text, masked; undefined when there was none, or none that can be shown safely. */
  readonly requestBody: string | undefined
  readonly responseBody: string
  /** Codes of the errors it was answered. */
  readonly errorCodes: readonly number[]
}
