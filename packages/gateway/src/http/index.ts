export { type GatewayEnv, readJson, signedStore } from '../api/request/signed-request.js'
export type { GatewayRouteOptions } from '../api/gateway-api.js'
export { createGatewayRoutes } from '../api/gateway-routes.js'
export {
  type ApiDescription,
  type Operation,
  openApiDocument,
} from '../api/openapi/openapi-document.js'
