import { type Log, claimedStore } from '@cofre/contracts'
import { countByMinute } from '@cofre/work'
import { shownRequestHeaders, shownResponseHeaders } from './request-headers.js'
import { type Exchange, type RequestRecordingDeps, recordExchange } from './request-log-service.js'

/** An HTTP application, as passed to the listener. */
export type Fetch = (request: Request, bindings: object) => Response | Promise<Response>

/** An application that records its requests. */
export interface RecordedFetch {
  readonly fetch: Fetch
  /** Resolves once everything so far is recorded. */
  idle(): Promise<void>
}

interface RequestLogDeps extends RequestRecordingDeps {
  readonly log: Log
}

/** Payers' pages, documents, and streams, which do not end. */
const NOT_RECORDED = /^\/(?:[bqw]\/|pay\/|openapi\.json|sandbox\/(?:notifications|requests)\/)/
const BODY_BYTES_MAX = 64 * 1024
/**
 * Above this number of writes that wait for the database, requests are not recorded: they must
 * never pile up.
 */
export const WAITING_MAX = 500
const TOO_MANY_WAIT = 'requests are skipped in the request log: too many wait to be recorded'

/**
 * Records the requests of existing stores and their answers, masked. Recording happens after the
 * answer, and a failure is only logged.
 */
export function recordedFetch(fetch: Fetch, deps: RequestLogDeps): RecordedFetch {
  const waiting = new Set<Promise<void>>()
  const leftOut = countByMinute()
  const keep = (exchange: Exchange): void => {
    const keeping = recordExchange(deps, exchange)
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
      const storeId = claimedStore(request.headers)
      const target = targetOf(request, bindings)
      if (storeId === undefined || NOT_RECORDED.test(target)) return await fetch(request, bindings)
      if (waiting.size >= WAITING_MAX) {
        const requests = leftOut.add()
        if (requests > 0) deps.log.warn({ requests }, TOO_MANY_WAIT)
        return await fetch(request, bindings)
      }
      const startedAt = performance.now()
      // The body that a store has signed: a copy of a body that the application leaves unread would
      // never end.
      let body: Uint8Array | undefined
      const onSignedBody = (signed: Uint8Array): void => {
        body = signed
      }
      const response = await fetch(request, { ...bindings, onSignedBody })
      const durationMs = Math.round(performance.now() - startedAt)
      const { status, headers } = response
      // A stream under another spelling of its path does not end.
      if (headers.get('content-type')?.startsWith('text/event-stream') === true) return response
      const bytes = new Uint8Array(await response.arrayBuffer())
      keep({
        storeId,
        method: request.method,
        target,
        durationMs,
        statusCode: status,
        location: headers.get('location') ?? '',
        requestText: bodyText(body),
        responseText: bodyText(bytes) ?? '',
        requestHeaders: shownRequestHeaders(request.headers, body !== undefined),
        responseHeaders: shownResponseHeaders(headers),
      })
      return new Response(bytes.length === 0 ? null : bytes, { status, headers })
    },

    async idle() {
      await Promise.all(waiting)
    },
  }
}

/** Path and query as received, if the server provides them. */
function targetOf(request: Request, bindings: object & { incoming?: { url?: string } }): string {
  const { url } = request
  return bindings.incoming?.url ?? url.slice(url.indexOf('/', url.indexOf('//') + 2))
}

/** Undefined for a missing body, or one that is too large. */
function bodyText(body: Uint8Array | undefined): string | undefined {
  if (body === undefined || body.length === 0 || body.length > BODY_BYTES_MAX) return undefined
  return new TextDecoder().decode(body)
}
