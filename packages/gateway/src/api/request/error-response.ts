import { ApiError, type Log, UNAVAILABLE_RETRY_SECONDS, mediaType } from '@cofre/contracts'
import { isDamage, isUnavailable } from '@cofre/sql'
import type { Context, ErrorHandler } from 'hono'
import type { GatewayEnv } from './gateway-env.js'

/**
 * The one place where a failure becomes HTTP. What is not an ApiError is ours: logged with its cause, answered without. A
 * database that is unavailable, or has to be restored, is told as such, since sending the same again later may succeed.
 */
export function errorHandler(log: Log): ErrorHandler<GatewayEnv> {
  return (error, context) => {
    if (error instanceof ApiError) return errorResponse(context, error)
    if (hasHungUp(context)) return errorResponse(context, new ApiError('request_malformed'))
    // Without its path, where a shop may have put a card number by mistake: the request's own line has what may be kept of it.
    log.error({ error, method: context.req.method }, 'a request failed')
    if (isUnavailable(error) || isDamage(error))
      return errorResponse(context, new ApiError('service_unavailable'))
    const ours = /^\/refunds\/?$/.test(context.req.path)
      ? 'refund_internal_server_error'
      : 'internal_server_error'
    return errorResponse(context, new ApiError(ours))
  }
}

/** The client went away within its request: nobody's failure, and nobody to answer. */
function hasHungUp({ env }: Context<GatewayEnv>): boolean {
  const { incoming } = env
  return incoming?.destroyed === true && incoming.complete === false
}

export function errorResponse(context: Context<GatewayEnv>, error: ApiError): Response {
  const response = jsonResponse(context, error.toBody(), error.status)
  if (error.status === 503) response.headers.set('Retry-After', String(UNAVAILABLE_RETRY_SECONDS))
  return response
}

/** Answers JSON in the media type of the interface's version; plain JSON where no interface was reached. */
export function jsonResponse(
  context: Context<GatewayEnv>,
  body: unknown,
  status: number,
): Response {
  // Unset where the request reached no interface.
  const version = context.get('version') as GatewayEnv['Variables']['version'] | undefined
  const type =
    version === undefined
      ? 'application/json; charset=UTF-8'
      : mediaType(context.get('mediaVendor'), version)
  // Not `context.body`: that would turn the headers into a Headers, which the Node server has to take apart again.
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': type, 'Cache-Control': 'no-store' },
  })
}
