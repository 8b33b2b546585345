import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'

type Fetch = (request: Request, bindings: object) => Response | Promise<Response>

/**
 * Writes one line a request and gives it an id, which the answer carries as `X-Request-Id`. The line has neither query
 * nor body nor headers: nothing of a card or a secret can get into it.
 */
export function loggedFetch(fetch: Fetch, log: Logger, role: string): Fetch {
  return async (request, bindings) => {
    const requestId = randomUUID()
    const startedAt = performance.now()
    const response = await fetch(request, bindings)
    const answer = new Response(response.body, response)
    answer.headers.set('X-Request-Id', requestId)
    log.info(
      {
        role,
        requestId,
        method: request.method,
        path: loggable(new URL(request.url).pathname),
        status: answer.status,
        durationMs: Math.round(performance.now() - startedAt),
      },
      'request',
    )
    return answer
  }
}

/** A shop may ask after a whole card number by mistake: only a transaction's code is as long. */
function loggable(path: string): string {
  return path.startsWith('/transactions/') ? path : path.replaceAll(/\d{9,}/g, '[digits]')
}
