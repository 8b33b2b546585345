import type { Clock, Log } from '@cofre/contracts'
import type { BackOffice } from '@cofre/gateway'
import { type Exchange, recordExchange } from './request-log-service.js'
import type { RequestLogStore } from './request-log-store.js'

/** An HTTP application, as it is listened with. */
export type Fetch = (request: Request, bindings: object) => Response | Promise<Response>

/** An application that remembers what it was asked. */
export interface RecordedFetch {
  readonly fetch: Fetch
  /** Resolves when everything so far is kept. */
  idle(): Promise<void>
}

export interface RequestLogDeps {
  readonly requests: RequestLogStore
  readonly backOffice: Pick<BackOffice, 'findMerchant' | 'findTransaction'>
  readonly clock: Clock
  readonly log: Log
}

/** Pages of payers and documents. */
const NOT_RECORDED = /^\/(?:[bqw]\/|openapi\.json)/
const BODY_BYTES_MAX = 64 * 1024
/** Beyond so many that wait for the database, requests are not kept: they must never pile up. */
const WAITING_MAX = 500

/**
 * Keeps the requests of stores and their answers, masked: those that name a store that is there. Keeping happens after the
 * answer, and its failure is only logged.
 */
export function recordedFetch(fetch: Fetch, deps: RequestLogDeps): RecordedFetch {
  const waiting = new Set<Promise<void>>()
  const keep = (exchange: Promise<Exchange>): void => {
    const keeping = exchange
      .then((whole) => recordExchange(deps, whole))
      .catch((error: unknown) => {
        deps.log.error({ error }, 'a request could not be kept')
      })
      .finally(() => {
        waiting.delete(keeping)
      })
    waiting.add(keeping)
  }
  return {
    async fetch(request, bindings) {
      const storeId = claimedStore(request)
      const target = targetOf(request, bindings)
      if (storeId === undefined || NOT_RECORDED.test(target) || waiting.size >= WAITING_MAX)
        return await fetch(request, bindings)
      const startedAt = performance.now()
      const { method } = request
      // A GET's Request would have to build the body that it cannot have, to say so.
      const copy = method === 'GET' || request.body === null ? undefined : request.clone()
      const response = await fetch(request, bindings)
      const durationMs = Math.round(performance.now() - startedAt)
      const { status, headers } = response
      const bytes = new Uint8Array(await response.arrayBuffer())
      keep(
        textOf(copy).then((requestText) => ({
          storeId,
          method,
          target,
          durationMs,
          statusCode: status,
          location: headers.get('location') ?? '',
          requestText,
          responseText: bytes.length > BODY_BYTES_MAX ? '' : new TextDecoder().decode(bytes),
        })),
      )
      return new Response(bytes.length === 0 ? null : bytes, { status, headers })
    },

    async idle() {
      await Promise.all(waiting)
    },
  }
}

/** Who the request says it is from; whether it is, the answer tells. */
function claimedStore(request: Request): string | undefined {
  return /^([^:\s]{1,64}):/.exec(request.headers.get('authorization') ?? '')?.[1]
}

/** Path and query as received, where the server gives them. */
function targetOf(request: Request, bindings: object & { incoming?: { url?: string } }): string {
  const { url } = request
  return bindings.incoming?.url ?? url.slice(url.indexOf('/', url.indexOf('//') + 2))
}

/** Undefined when there is no body, or one too large to keep. */
async function textOf(message: Request | undefined): Promise<string | undefined> {
  if (message?.body == null) return undefined
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of message.body as ReadableStream<Uint8Array>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
