// The API by which operators manage stores, on a listener and by keys of its own.
import { ApiError, type Clock, type Log, isNotificationAddress } from '@cofre/contracts'
import {
  type GatewayEnv,
  type ReceivedRequest,
  errorHandler,
  errorResponse,
  limitedBody,
} from '@cofre/gateway/room'
import { Hono } from 'hono'
import { readFieldOrigin } from '../model/field-origins.js'
import {
  type AuthenticationDeps,
  type OperatorSending,
  authenticateOperator,
} from './authentication-service.js'
import type { InterfaceDeps } from './api/operator-interface.js'
import { addStoreRoutes } from './api/store-routes.js'
import { type RefusedUsesDeps, createRefusedUses } from './refused-uses.js'
import { type StoreAdminDeps, createStoreAdmin } from './store-admin.js'

export { OPERATOR_API } from './openapi/operations.js'

const BODY_BYTES_MAX = 64 * 1024

export interface StoresApiOptions
  extends
    StoreAdminDeps,
    Omit<AuthenticationDeps, 'machineClock' | 'refused'>,
    Pick<InterfaceDeps, 'addressOf' | 'mediaVendor' | 'respondOnce'> {
  readonly machineClock: Clock
  readonly log: Log
  readonly acts: StoreAdminDeps['acts'] & RefusedUsesDeps['acts']
  /** True if notifications may be sent to the address. */
  readonly acceptsNotificationUrl: (url: string) => boolean
  /** Origin that serves the documentation of errors; undefined when none is known. */
  readonly docsOrigin?: string | undefined
  /** The API's OpenAPI document. */
  readonly document: () => object
}

/** The API of operators. Paths may end with a slash. */
export function createStoresApi(options: StoresApiOptions): Hono<GatewayEnv> {
  const { acceptsNotificationUrl, docsOrigin, document, log } = options
  const app = new Hono<GatewayEnv>({ strict: false })
  app.onError(errorHandler(log))
  app.use((context, next) => {
    context.set('docsOrigin', docsOrigin)
    return next()
  })
  app.use(limitedBody(BODY_BYTES_MAX))
  const refused = createRefusedUses(options)
  addStoreRoutes(app, {
    ...options,
    refused,
    authenticate: (request: ReceivedRequest, sent: OperatorSending) =>
      authenticateOperator({ ...options, refused }, request, sent),
    admin: createStoreAdmin(options),
    facts: {
      isFieldOrigin: (text) => readFieldOrigin(text) !== undefined,
      isNotificationAddress: (text) => isNotificationAddress(text, { acceptsNotificationUrl }),
    },
  })
  app.get('/openapi.json', (context) => context.json(document()))
  refuseOtherMethods(app)
  app.notFound((context) => errorResponse(context, new ApiError('route_not_found')))
  return app
}

/** Answers another method of a known path with a 405 that names the right ones. */
function refuseOtherMethods(app: Hono<GatewayEnv>): void {
  const served = app.routes.filter(({ method }) => method !== 'ALL')
  for (const [path, routes] of Map.groupBy(served, (route) => route.path)) {
    const allowed = [...new Set(routes.map(({ method }) => method))]
    app.all(path, (context) => {
      const failure = { name: 'method_not_allowed', cause: 'allowed', allowed } as const
      return errorResponse(context, new ApiError([failure]), { Allow: allowed.join(', ') })
    })
  }
}
