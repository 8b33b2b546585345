export type { GatewayEnv } from './gateway-env.js'
export { type GatewayRouteOptions, createGatewayRoutes } from './gateway-routes.js'
export { readJson } from './json-body.js'
export { signedStore } from './signed-interface.js'
