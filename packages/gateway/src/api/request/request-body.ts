import { ApiError, type ErrorName } from '@cofre/contracts'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { GatewayEnv } from './gateway-env.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Refuses a request with a body of more bytes. A declared length is judged unread: Node ends a body
 * there. Only a body without one is counted, in a stream that costs more than many a request.
 */
export function limitedBody(bytesMax: number): MiddlewareHandler<GatewayEnv> {
  const refuse = (): never => {
    throw new ApiError('body_too_large')
  }
  const counted = bodyLimit({ maxSize: bytesMax, onError: refuse })
  return async (context, next) => {
    const { req } = context
    const declared = req.header('content-length')
    const isCounted = declared === undefined || req.header('transfer-encoding') !== undefined
    if (!isBodiless(req.method)) {
      if (isCounted) return await counted(context, next)
      if (Number(declared) > bytesMax) refuse()
    }
    await next()
    return undefined
  }
}

/**
 * The body as it was received.
 * @throws ApiError for a GET with a body: the web platform drops it, so no signature could cover it
 */
export async function readBody({ req }: Context<GatewayEnv>): Promise<Uint8Array> {
  const hasBody =
    Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined
  if (req.method === 'GET' && hasBody) throw new ApiError('header_authorization_invalid')
  // A GET's Request would build a stream for the body that it cannot have.
  return isBodiless(req.method) ? new Uint8Array() : new Uint8Array(await req.arrayBuffer())
}

/** The body as JSON in UTF-8. @throws ApiError with the interface's own name for another body */
export async function readJson(
  { req }: Context<GatewayEnv>,
  malformed: ErrorName,
): Promise<unknown> {
  const bytes = await req.arrayBuffer()
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw new ApiError(malformed, { cause })
  }
}

/** The web platform gives a request of these methods no body, whatever was sent. */
function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
