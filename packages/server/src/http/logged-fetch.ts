import { randomUUID } from 'node:crypto'
import { brandOf, isCardNumber } from '@cofre/contracts'
import type { Logger } from 'pino'

const CODE_LENGTH_MAX = 15
/** Also as people write numbers, with spaces, dots or hyphens between. */
const LONG_NUMBER = /\d(?:(?:%20|[-+.])?\d){8,}/g

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

/** A shop may ask after a whole card number by mistake. Only a transaction's code is as long, and none is a card's number. */
function loggable(path: string): string {
  const isCode = (digits: string): boolean =>
    path.startsWith('/transactions/') &&
    /^\d+$/.test(digits) &&
    digits.length <= CODE_LENGTH_MAX &&
    !isCardNumber(digits, brandOf(digits))
  return path.replaceAll(LONG_NUMBER, (digits) => (isCode(digits) ? digits : '[digits]'))
}
