import { ApiError } from '@cofre/contracts'
import { Hono } from 'hono'
import { addCardLookupRoutes } from './card-lookup/card-lookup-routes.js'
import type { GatewayApi, RouteDeps } from './gateway-api.js'
import { openApiDocument } from './openapi/openapi-document.js'
import { addPayerPageRoutes } from './payer-page/payer-page-routes.js'
import { addRefundRoutes } from './refund/refund-routes.js'
import { addTransactionRoutes } from './transaction/transaction-routes.js'
import { errorHandler, errorResponse } from './request/error-response.js'
import { limitedBody } from './request/limited-body.js'
import type { GatewayEnv } from './request/gateway-env.js'

const BODY_BYTES_MAX = 256 * 1024

export interface GatewayRouteOptions {
  /** Vendor segment of the media type; may contain dots. */
  readonly mediaVendor: string
  /** Origin at which payers reach this environment, without a trailing slash. */
  readonly publicUrl: string
  /** The sandbox, where refunds with `test-mode: 1` go. */
  readonly sandbox?: { readonly api: GatewayApi }
}

/** The HTTP API of one environment. A trailing slash on a path is served. */
export function createGatewayRoutes(
  { api }: { readonly api: GatewayApi },
  { mediaVendor, publicUrl, sandbox }: GatewayRouteOptions,
): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ strict: false })
  const deps: RouteDeps = { api, mediaVendor, publicUrl, testRefunds: sandbox?.api }
  app.onError(errorHandler(api.log))
  app.notFound(() => {
    throw new ApiError('route_not_found')
  })
  app.use(limitedBody(BODY_BYTES_MAX))
  addTransactionRoutes(app, deps)
  addCardLookupRoutes(app, deps)
  addRefundRoutes(app, deps)
  addPayerPageRoutes(app, deps)
  app.get('/openapi.json', (context) => context.json(openApiDocument({ mediaVendor, publicUrl })))
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
    app.all(path, (context) => {
      const response = errorResponse(context, new ApiError('method_not_allowed'))
      response.headers.set('Allow', [...allowed].join(', '))
      return response
    })
  }
}
