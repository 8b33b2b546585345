import { ApiError } from '@cofre/contracts'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { GatewayEnv } from './gateway-env.js'

/**
 * Lets no request through with a body of more bytes. One that declares its length is judged by that, unread: Node ends a body
 * where its length does. Only a body that hides its length is counted, which takes a stream that costs more than many a request.
 */
export function limitedBody(bytesMax: number): MiddlewareHandler<GatewayEnv> {
  const refuse = (): never => {
    throw new ApiError('body_too_large')
  }
  const counted = bodyLimit({ maxSize: bytesMax, onError: refuse })
  return async (context, next) => {
    const { req } = context
    if (!isBodiless(req.method)) {
      const declared = req.header('content-length')
      if (declared === undefined || req.header('transfer-encoding') !== undefined)
        return await counted(context, next)
      if (Number(declared) > bytesMax) refuse()
    }
    await next()
    return undefined
  }
}

/** The web platform gives a request of these methods no body, whatever was sent. */
export function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
