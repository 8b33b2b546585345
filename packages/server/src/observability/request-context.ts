import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '@opentelemetry/api'

/** The request that the code runs for: each line of the log names it. */
export const currentRequest = new AsyncLocalStorage<{ readonly requestId: string }>()

/** The span that new spans are children of. */
export const currentSpan = new AsyncLocalStorage<Context>()
