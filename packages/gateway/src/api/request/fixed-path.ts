import { ApiError } from '@cofre/contracts'
import type { MiddlewareHandler } from 'hono'
import { errorResponse } from './json-response.js'
import type { GatewayEnv } from './signed-request.js'

/**
 * Lets only one value of the path's parameter `code` through. Beside a parameter, the router that
 * matches by one regular expression takes neither a fixed part nor a parameter of another name.
 * @param allowed - The methods of all other values.
 */
export function fixedPath(
  value: string,
  allowed: readonly string[],
): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    if (context.req.param('code') === value) {
      await next()
      return undefined
    }
    const failure = { name: 'method_not_allowed', cause: 'allowed', allowed } as const
    return errorResponse(context, new ApiError([failure]), { Allow: allowed.join(', ') })
  }
}
