import {
  ApiError,
  type Log,
  type MinorUnits,
  UNAVAILABLE_RETRY_SECONDS,
  formatAmount,
  mediaType,
  minorUnits,
} from '@cofre/contracts'
import { explainedBody } from '@cofre/contracts/errors'
import { isDamage, isUnavailable } from '@cofre/sql'
import type { Context, ErrorHandler } from 'hono'
import type { GatewayEnv } from './signed-request.js'

// In V8 since Node 21 (ECMAScript proposal JSON.parse source text access); unknown to TypeScript.
declare global {
  interface JSON {
    rawJSON(text: string): unknown
  }
}

/** An amount that is rendered as a JSON number with two decimals: `100.00`. */
export function jsonAmount(amount: MinorUnits): number {
  return JSON.rawJSON(formatAmount(amount)) as number
}

/** The same with its sign, of an amount in centavos that may be negative: `-3.50`. */
export function jsonSignedAmount(cents: number): number {
  const sign = cents < 0 ? '-' : ''
  return JSON.rawJSON(sign + formatAmount(minorUnits(Math.abs(cents)))) as number
}

/** JSON in the media type of the interface's version; plain JSON if no interface was reached. */
export function jsonResponse(
  context: Context<GatewayEnv>,
  body: unknown,
  { status = 200, headers }: { readonly status?: number; readonly headers?: HeadersRecord } = {},
): Response {
  // Unset if the request reached no interface.
  const version = context.get('version') as GatewayEnv['Variables']['version'] | undefined
  const type =
    version === undefined
      ? 'application/json; charset=UTF-8'
      : mediaType(context.get('mediaVendor'), version)
  // Not `context.body`: the Node server would have to unpack its Headers object again.
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers },
  })
}

type HeadersRecord = Readonly<Record<string, string>>

export function errorResponse(
  context: Context<GatewayEnv>,
  error: ApiError,
  headers?: HeadersRecord,
): Response {
  const retry = error.status === 503 && { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) }
  const acceptLanguage = context.req.header('accept-language')
  const body = explainedBody(error, { acceptLanguage, docsOrigin: context.get('docsOrigin') })
  return jsonResponse(context, body, {
    status: error.status,
    headers: { ...retry, ...headers },
  })
}

/** The only place that turns failures into HTTP. It logs all but ApiErrors, with their cause. */
export function errorHandler(log: Log): ErrorHandler<GatewayEnv> {
  return (error, context) => {
    if (error instanceof ApiError) return errorResponse(context, error)
    const { incoming } = context.env
    // The client disconnected during its request: no failure, and no connection to respond to.
    if (incoming?.destroyed === true && incoming.complete === false)
      return errorResponse(context, new ApiError('request_malformed'))
    // The path is left out: a shop may have put a card number there by mistake.
    log.error({ error, method: context.req.method }, 'a request failed')
    // The same request may succeed once the database is back or restored.
    if (isUnavailable(error) || isDamage(error))
      return errorResponse(context, new ApiError('service_unavailable'))
    const isRefund = /^\/refunds\/?$/.test(context.req.path)
    const name = isRefund ? 'refund_internal_server_error' : 'internal_server_error'
    return errorResponse(context, new ApiError(name))
  }
}
