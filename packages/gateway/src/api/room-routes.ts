import type { Hono, MiddlewareHandler } from 'hono'
import type { RouteDeps } from './gateway-api.js'
import { type GatewayEnv, type InterfaceRules, signedInterface } from './request/signed-request.js'

/** How a room serves its interfaces. */
export interface RoomServing {
  /** Origin at which payers reach this environment, without a trailing slash. */
  readonly publicUrl: string
  /** Admits a request if its store's signature and headers are right. */
  readonly signed: (rules: InterfaceRules) => MiddlewareHandler<GatewayEnv>
}

export type AddRoomRoutes = (app: Hono<GatewayEnv>, serving: RoomServing) => void

export function addRoomRoutes(
  app: Hono<GatewayEnv>,
  deps: RouteDeps,
  rooms: readonly AddRoomRoutes[],
): void {
  const signed = (rules: InterfaceRules) => signedInterface(deps, rules)
  for (const addRoutes of rooms) addRoutes(app, { publicUrl: deps.publicUrl, signed })
}
