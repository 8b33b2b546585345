import { createPaymentPageRoutes } from '@cofre/links'
import type { Clock } from '@cofre/contracts'
import { isDamage, isUnavailable } from '@cofre/sql'
import type { Hono } from 'hono'
import { createClientAddress } from '../../http/addresses.js'
import { globalName, libraryAddress, readCardFields } from '../../installation/library.js'
import type { GatewayWithRooms } from './opened-gateway.js'
import type { ProcessParts } from '../parts.js'

/** The payment page of an environment, on the origin of its API. */
export function createPaymentPage(
  { config, log }: ProcessParts,
  { paymentPage, environment }: GatewayWithRooms,
  clock: Clock,
): Hono {
  const { endpoints, trustedProxies, vendor } = config
  const endpoint = environment === 'sandbox' ? endpoints.sandbox : endpoints.api
  const { url, integrity } = libraryAddress(readCardFields(vendor), endpoints.vault.publicUrl)
  return createPaymentPageRoutes(paymentPage, {
    url: endpoint.publicUrl,
    cardFields: {
      vaultUrl: endpoints.vault.publicUrl,
      scriptUrl: url,
      integrity,
      global: globalName(vendor),
    },
    addressOf: createClientAddress(trustedProxies, log),
    now: () => clock.now(),
    log,
    isUnavailable: (error) => isUnavailable(error) || isDamage(error),
  })
}
