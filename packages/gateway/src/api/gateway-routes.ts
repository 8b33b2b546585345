import { ApiError } from '@cofre/contracts'
import { REFERENCE_PATH } from '@cofre/contracts/errors'
import { type Context, Hono } from 'hono'
import { addCardLookupRoutes } from './card-lookup/card-lookup-routes.js'
import type { GatewayApi, GatewayRouteOptions, RouteDeps } from './gateway-api.js'
import { addInterestRoutes } from './interest/interest-routes.js'
import { methodsOf, nearestOperation } from './openapi/known-paths.js'
import { OPERATIONS, openApiDocument } from './openapi/openapi-document.js'
import { addAuthenticationRoutes } from './payer-page/authentication-routes.js'
import { addPayerPageRoutes } from './payer-page/payer-page-routes.js'
import { addRefundRoutes } from './refund/refund-routes.js'
import { addTransactionRoutes } from './transaction/transaction-routes.js'
import { type GatewayEnv, limitedBody } from './request/signed-request.js'
import { type AddRoomRoutes, addRoomRoutes } from './room-routes.js'
import { errorHandler, errorResponse } from './request/json-response.js'

const BODY_BYTES_MAX = 256 * 1024

export interface ServedRouteOptions extends GatewayRouteOptions {
  /** Interfaces of rooms, served as the API's own. */
  readonly rooms?: readonly AddRoomRoutes[]
}

/** The HTTP API of one environment. Paths may end with a slash. */
export function createGatewayRoutes(
  { api }: { readonly api: GatewayApi },
  { rooms = [], ...options }: ServedRouteOptions,
): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ strict: false })
  const deps: RouteDeps = { api, ...options }
  app.onError(errorHandler(api.log))
  app.notFound((context) => refuseUnknownPath(context, options))
  app.use((context, next) => {
    context.set('docsOrigin', options.docsOrigin)
    return next()
  })
  app.use(limitedBody(BODY_BYTES_MAX))
  addTransactionRoutes(app, deps)
  addCardLookupRoutes(app, deps)
  addInterestRoutes(app, deps)
  addRefundRoutes(app, deps)
  addRoomRoutes(app, deps, rooms)
  addPayerPageRoutes(app, deps)
  addAuthenticationRoutes(app, deps)
  app.get('/openapi.json', (context) => context.json(openApiDocument(options)))
  refuseOtherMethods(app, options)
  return app
}

/** Interfaces beside the API, such as the sandbox's controls, are known only by `operations`. */
function refuseUnknownPath(
  context: Context<GatewayEnv>,
  { publicUrl, docsOrigin, operations: others = [] }: GatewayRouteOptions,
): Response {
  const { method, path } = context.req
  const operations = [...OPERATIONS, ...others]
  const allowed = methodsOf(operations, path)
  if (allowed.length > 0) return refuseMethod(context, allowed)
  const nearest = nearestOperation(operations, method, path)
  const reference =
    docsOrigin === undefined ? `${publicUrl}/openapi.json` : docsOrigin + REFERENCE_PATH
  const cause = nearest === undefined ? 'unknown' : 'nearest'
  const failure = { name: 'route_not_found', cause, named: { nearest, reference } } as const
  return errorResponse(context, new ApiError([failure]))
}

function refuseMethod(context: Context<GatewayEnv>, allowed: readonly string[]): Response {
  const failure = { name: 'method_not_allowed', cause: 'allowed', allowed } as const
  return errorResponse(context, new ApiError([failure]), { Allow: allowed.join(', ') })
}

/** Answers another method of a known path with a 405 that names the right ones. */
function refuseOtherMethods(
  app: Hono<GatewayEnv>,
  { operations: others = [] }: GatewayRouteOptions,
): void {
  const operations = [...OPERATIONS, ...others]
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue
    methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  for (const [path, allowed] of methods) {
    app.all(path, (context) => {
      const documented = methodsOf(operations, context.req.path)
      return refuseMethod(context, documented.length > 0 ? documented : [...allowed])
    })
  }
}
