import { randomInt } from 'node:crypto'
import { openApiDocument } from '@cofre/gateway/http'
import { acceptsTarget } from '@cofre/notifications'
import { OPERATOR_API, createStoresApi } from '@cofre/operator/stores-api'
import { networkList } from '../../config/variables.js'
import { createPermittedAddress, isIn, originsOf } from '../../http/addresses.js'
import { withOneTestSecret } from '../../installation/test-store.js'
import type { GatewayWithRooms } from './opened-gateway.js'
import { type ProcessParts, listenAs } from '../parts.js'

/** The gateways whose stores operators manage. */
interface ManagedGateways {
  /** Also has the operators' keys, their log of acts and their requests. */
  readonly production: GatewayWithRooms
  readonly sandbox: GatewayWithRooms
}

/** Serves the API of operators, on a port of its own. @throws ListenError */
export async function serveOperator(
  parts: ProcessParts,
  { production, sandbox }: ManagedGateways,
): Promise<void> {
  const { config, clock, log } = parts
  const { docsOrigin, endpoints, mediaVendor, notifyAllow, trustedProxies } = config
  const { publicUrl } = endpoints.operator
  const api = createStoresApi({
    stores: withOneTestSecret(config, { production: production.stores, sandbox: sandbox.stores }),
    keys: production.operatorKeys,
    acts: production.people.acts,
    respondOnce: production.api.respondOnce,
    machineClock: clock,
    log,
    mediaVendor,
    docsOrigin,
    origins: originsOf(endpoints.operator),
    randomBelow: randomInt,
    addressOf: createPermittedAddress(trustedProxies, log),
    isAmong(networks, address) {
      const list = networkList(networks)
      return list !== undefined && isIn(list, address)
    },
    acceptsNotificationUrl: (url) => acceptsTarget(url, notifyAllow),
    document: () => openApiDocument({ mediaVendor, publicUrl, docsOrigin, api: OPERATOR_API }),
  })
  await listenAs(parts, 'operator', api)
}
