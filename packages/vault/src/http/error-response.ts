import { ApiError, type Log } from '@cofre/contracts'

/** Turns whatever was thrown into the answer the shop's page gets. What is not an ApiError is a crash: logged, not told. */
export function errorResponse(error: unknown, log: Log): Response {
  if (error instanceof ApiError)
    return Response.json(error.toBody(), { status: error.status, headers: NEVER_STORED })
  log.error({ error: error instanceof Error ? error.stack : typeof error }, 'a request crashed')
  return errorResponse(new ApiError('internal_server_error'), log)
}

/** Answers of the vault are for one page, once. */
export const NEVER_STORED = { 'Cache-Control': 'no-store' } as const
