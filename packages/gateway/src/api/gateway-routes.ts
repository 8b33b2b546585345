import { ApiError } from '@cofre/contracts'
import { Hono } from 'hono'
import { addCardLookupRoutes } from './card-lookup/card-lookup-routes.js'
import type { GatewayApi, GatewayRouteOptions, RouteDeps } from './gateway-api.js'
import { openApiDocument } from './openapi/openapi-document.js'
import { addAuthenticationRoutes } from './payer-page/authentication-routes.js'
import { addPayerPageRoutes } from './payer-page/payer-page-routes.js'
import { addPaymentLinkRoutes } from './payment-link/payment-link-routes.js'
import { addRefundRoutes } from './refund/refund-routes.js'
import { addTransactionRoutes } from './transaction/transaction-routes.js'
import { type GatewayEnv, limitedBody } from './request/signed-request.js'
import { errorHandler, errorResponse } from './request/json-response.js'

const BODY_BYTES_MAX = 256 * 1024

/** The HTTP API of one environment. A trailing slash on a path is served. */
export function createGatewayRoutes(
  { api }: { readonly api: GatewayApi },
  options: GatewayRouteOptions,
): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ strict: false })
  const deps: RouteDeps = { api, ...options }
  app.onError(errorHandler(api.log))
  app.notFound(() => {
    throw new ApiError('route_not_found')
  })
  app.use((context, next) => {
    context.set('docsOrigin', options.docsOrigin)
    return next()
  })
  app.use(limitedBody(BODY_BYTES_MAX))
  addTransactionRoutes(app, deps)
  addCardLookupRoutes(app, deps)
  addRefundRoutes(app, deps)
  addPaymentLinkRoutes(app, deps)
  addPayerPageRoutes(app, deps)
  addAuthenticationRoutes(app, deps)
  app.get('/openapi.json', (context) => context.json(openApiDocument(options)))
  refuseOtherMethods(app)
  return app
}

/** A known path with another method is a 405 that names the right ones. */
function refuseOtherMethods(app: Hono<GatewayEnv>): void {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue
    methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  for (const [path, allowed] of methods) {
    const methods = [...allowed]
    const headers = { Allow: methods.join(', ') }
    const failure = { name: 'method_not_allowed', cause: 'allowed', allowed: methods } as const
    app.all(path, (context) => errorResponse(context, new ApiError([failure]), headers))
  }
}
