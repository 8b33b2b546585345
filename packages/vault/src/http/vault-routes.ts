import { ApiError, type Log } from '@cofre/contracts'
import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono'
import type { Vault } from '../model/vault.js'
import { type CardFieldsOptions, serveCardFields } from './card-fields-routes.js'
import {
  FOR_ONE_PAGE,
  FOR_PAGES,
  errorResponse,
  jsonResponse,
  retryAfter,
} from './error-response.js'
import { type Library, serveLibraries } from './library-routes.js'
import { readLimitedText } from './limited-body.js'
import { type LimitReached, type RequestLimits, countPerMinute } from './request-limits.js'

/** Far more than the longest direct token. */
const BODY_BYTES_MAX = 8 * 1024
const PREFLIGHT_CACHE_SECONDS = 24 * 60 * 60

export interface VaultRoutesOptions {
  readonly log: Log
  /** Served at `/<file>` and `/v/<version>/<file>`, with its manifest at `/integrity.json`. */
  readonly library?: Library
  /** Served at `/fields`, with their files like those of the library. */
  readonly cardFields?: CardFieldsOptions
  /** No limits if absent. */
  readonly limits?: RequestLimits
  /** Origin that serves the documentation of errors; undefined if unknown. */
  readonly docsOrigin?: string | undefined
}

type Refusal = (
  error: unknown,
  context: Context,
  headers?: Readonly<Record<string, string>>,
) => Response

/** The vault's public routes, for the shop's page on any origin. */
export function createVaultRoutes(vault: Vault, options: VaultRoutesOptions): Hono {
  const { log, library, cardFields, limits, docsOrigin } = options
  // Not strict: a trailing slash is served.
  const routes = new Hono({ strict: false })
  const refusal: Refusal = (error, context, headers) => {
    const acceptLanguage = context.req.header('Accept-Language')
    const reader = { acceptLanguage, docsOrigin }
    return errorResponse(error, log, { headers: { ...FOR_ONE_PAGE, ...headers }, reader })
  }
  routes.onError((error, context) => refusal(error, context))
  routes.notFound((context) => refusal(new ApiError('route_not_found'), context))

  const serve = (method: 'GET' | 'POST', path: string, handler: Handler): void => {
    const allowed = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'
    routes.on(method, path, handler)
    routes.options(path, () => preflightResponse(allowed))
    routes.all(path, (context) => {
      const failure = { name: 'method_not_allowed', cause: 'allowed' } as const
      const error = new ApiError([{ ...failure, allowed: allowed.split(', ') }])
      return refusal(error, context, { Allow: allowed })
    })
  }

  if (limits !== undefined) {
    const { sessionsPerMinute, depositsPerMinute } = limits
    routes.post('/sessions', limitTo('session_rate', sessionsPerMinute, { ...limits, refusal }))
    routes.post(
      '/direct-tokens',
      limitTo('deposit_rate', depositsPerMinute, { ...limits, refusal }),
    )
  }
  serve('POST', '/sessions', async () =>
    jsonResponse(await vault.openSession(), { status: 201, headers: FOR_ONE_PAGE }),
  )
  serve('POST', '/direct-tokens', async (context) => {
    await vault.depositDirectToken(await readLimitedText(context.req.raw, BODY_BYTES_MAX))
    return jsonResponse({}, { status: 201, headers: FOR_ONE_PAGE })
  })
  const scripts = [library, cardFields?.files].filter((script) => script !== undefined)
  if (scripts.length > 0) serveLibraries(serve, scripts)
  if (cardFields !== undefined) serveCardFields(serve, vault, cardFields)
  return routes
}

/** Refuses requests over the limit, in the one error shape and readable for a page. */
function limitTo(
  limit: LimitReached,
  requestsMax: number,
  limits: RequestLimits & { readonly refusal: Refusal },
): MiddlewareHandler {
  const count = countPerMinute(requestsMax)
  return async (context, next) => {
    const waitSeconds = await count(limits.addressOf(context.req.raw, context.env as object))
    if (waitSeconds === undefined) {
      await next()
      return undefined
    }
    limits.refused?.(limit)
    return limits.refusal(new ApiError('too_many_requests'), context, retryAfter(waitSeconds))
  }
}

function preflightResponse(allowed: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...FOR_PAGES,
      Allow: allowed,
      'Access-Control-Allow-Methods': allowed,
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': String(PREFLIGHT_CACHE_SECONDS),
    },
  })
}
