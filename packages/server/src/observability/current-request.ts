import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '@opentelemetry/api'

/** The request that the code is running for. */
export interface CurrentRequest {
  readonly requestId: string
}

/** Knows the request without its being handed through every function: each line of the log names it. */
export const currentRequest = new AsyncLocalStorage<CurrentRequest>()

/** Knows the span that new spans are children of. */
export const currentSpan = new AsyncLocalStorage<Context>()
