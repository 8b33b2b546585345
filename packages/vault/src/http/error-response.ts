import { ApiError, type Log } from '@cofre/contracts'
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

/** Turns whatever was thrown into the answer the shop's page gets. What is not an ApiError is a crash: logged, not told. */
export function errorResponse(
  error: unknown,
  log: Log,
  headers: AnswerHeaders = NEVER_STORED,
): Response {
  if (error instanceof ApiError)
    return jsonResponse(error.toBody(), { status: error.status, headers })
  log.error({ error: error instanceof Error ? error.stack : typeof error }, 'a request crashed')
  return errorResponse(new ApiError('internal_server_error'), log, headers)
}
