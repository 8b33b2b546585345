import { ApiError, type Log } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'

/** A database that was away for a moment is back, one that fails over soon is. */
const RETRY_AFTER_SECONDS = 2

/**
 * Turns whatever was thrown into the answer the shop's page gets. What is not an ApiError is ours: logged, not told, but that a
 * database is unavailable, since sending the same again later may succeed.
 */
export function errorResponse(error: unknown, log: Log): Response {
  if (error instanceof ApiError)
    return Response.json(error.toBody(), { status: error.status, headers: headersOf(error) })
  log.error({ error: error instanceof Error ? error.stack : typeof error }, 'a request crashed')
  const ours = isUnavailable(error) ? 'service_unavailable' : 'internal_server_error'
  return errorResponse(new ApiError(ours), log)
}

/** Answers of the vault are for one page, once. */
export const NEVER_STORED = { 'Cache-Control': 'no-store' } as const

function headersOf({ status }: ApiError): Record<string, string> {
  return { ...NEVER_STORED, ...(status === 503 && retryAfter(RETRY_AFTER_SECONDS)) }
}

/** Tells when to ask again, readable for a page on another origin. */
export function retryAfter(seconds: number): Record<string, string> {
  return { 'Retry-After': String(seconds), 'Access-Control-Expose-Headers': 'Retry-After' }
}
