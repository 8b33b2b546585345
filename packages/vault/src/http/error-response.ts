import { ApiError, type Log, UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { isDamage, isUnavailable } from '@cofre/sql'
import { NEVER_STORED } from './answer-headers.js'

type AnswerHeaders = Readonly<Record<string, string>>

/** JSON with plain headers, which the Node server writes as they are: of a Headers it would have to take each out again. */
export function jsonResponse(
  body: unknown,
  { status, headers }: { readonly status: number; readonly headers: AnswerHeaders },
): Response {
  const json = { 'Content-Type': 'application/json', ...headers }
  return new Response(JSON.stringify(body), { status, headers: json })
}

/**
 * Turns whatever was thrown into the answer the shop's page gets. What is not an ApiError is ours: logged, not told, but that a
 * database is unavailable, since sending the same again later may succeed.
 */
export function errorResponse(
  error: unknown,
  log: Log,
  headers: AnswerHeaders = NEVER_STORED,
): Response {
  if (error instanceof ApiError) {
    const { status } = error
    const all = { ...headers, ...(status === 503 && retryAfter(UNAVAILABLE_RETRY_SECONDS)) }
    return jsonResponse(error.toBody(), { status, headers: all })
  }
  log.error({ error: error instanceof Error ? error.stack : typeof error }, 'a request crashed')
  const isTemporary = isUnavailable(error) || isDamage(error)
  const ours = isTemporary ? 'service_unavailable' : 'internal_server_error'
  return errorResponse(new ApiError(ours), log, headers)
}

/** Tells when to ask again, readable for a page on another origin. */
export function retryAfter(seconds: number): Record<string, string> {
  return { 'Retry-After': String(seconds), 'Access-Control-Expose-Headers': 'Retry-After' }
}
