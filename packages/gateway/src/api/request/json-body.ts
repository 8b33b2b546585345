import { ApiError, type ErrorName } from '@cofre/contracts'
import type { Context } from 'hono'
import type { GatewayEnv } from './gateway-env.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body as JSON in UTF-8. @throws ApiError with the interface's own name for a body that is not */
export async function readJson(
  context: Context<GatewayEnv>,
  malformed: ErrorName,
): Promise<unknown> {
  const bytes = await context.req.arrayBuffer()
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw new ApiError(malformed, { cause })
  }
}
