export type { GatewayEnv } from '../api/request/gateway-env.js'
export { type GatewayRouteOptions, createGatewayRoutes } from '../api/gateway-routes.js'
export { readJson } from '../api/request/json-body.js'
export { signedStore } from '../api/request/signed-interface.js'
