import { ApiError, type Log, UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { type ErrorReader, explainedBody } from '@cofre/contracts/errors'
import { isDamage, isUnavailable } from '@cofre/sql'

/** An answer of the vault is for one page, once. */
export const NEVER_STORED = { 'Cache-Control': 'no-store' } as const

/**
 * The headers of every public answer: pages of any origin may read it, and no browser guesses its
 * type.
 */
export const FOR_PAGES = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
} as const

/** The headers of public answers about sessions and cards. */
export const FOR_ONE_PAGE = { ...NEVER_STORED, ...FOR_PAGES } as const

type AnswerHeaders = Readonly<Record<string, string>>

/** JSON with plain headers: the Node server writes them as they are, without a Headers object. */
export function jsonResponse(
  body: unknown,
  { status, headers }: { readonly status: number; readonly headers: AnswerHeaders },
): Response {
  const json = { 'Content-Type': 'application/json', ...headers }
  return new Response(JSON.stringify(body), { status, headers: json })
}

interface ErrorOptions {
  readonly headers?: AnswerHeaders
  readonly reader?: ErrorReader
}

/**
 * Turns any thrown value into the answer for the shop's page. An error that is not an ApiError is
 * our bug: it is logged, and the page learns only whether another try may help.
 */
export function errorResponse(error: unknown, log: Log, options: ErrorOptions = {}): Response {
  const { headers = NEVER_STORED, reader = {} } = options
  if (error instanceof ApiError) {
    const { status } = error
    const all = { ...headers, ...(status === 503 && retryAfter(UNAVAILABLE_RETRY_SECONDS)) }
    return jsonResponse(explainedBody(error, reader), { status, headers: all })
  }
  log.error({ error: error instanceof Error ? error.stack : typeof error }, 'a request crashed')
  const isTemporary = isUnavailable(error) || isDamage(error)
  const ours = isTemporary ? 'service_unavailable' : 'internal_server_error'
  return errorResponse(new ApiError(ours), log, options)
}

/** The time until the next try, readable for a page on another origin. */
export function retryAfter(seconds: number): Record<string, string> {
  return { 'Retry-After': String(seconds), 'Access-Control-Expose-Headers': 'Retry-After' }
}
