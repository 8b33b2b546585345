// The registry: the only file that names all of the core's methods.
import type { PaymentMethod } from '../method/payment-method.js'
import type { MethodParts } from '../composition/gateway-parts.js'
import { createCardMethod } from './card/card-method.js'
import { createCardReturns } from './card/card-returns.js'
import { boletoCharges, pixCharges, walletCharges } from './rail/rail-charges.js'
import { createRailMethod } from './rail/rail-method.js'

/** The methods of one environment without rooms. */
export function createPaymentMethods(deps: MethodParts): readonly PaymentMethod[] {
  return [
    createCardMethod(deps, createCardReturns(deps)),
    createRailMethod(deps, pixCharges),
    createRailMethod(deps, boletoCharges(deps.boletoDays)),
    createRailMethod(deps, walletCharges),
  ]
}
