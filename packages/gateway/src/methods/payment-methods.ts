// The registry: the one file that names all methods.
import { type PaymentMethods, paymentMethodsOf } from '../method/payment-method.js'
import type { MethodDeps } from '../payment/gateway-deps.js'
import { createBankMethod } from './bank/bank-method.js'
import { createCardMethod } from './card/card-method.js'
import { type RailCharges, boletoCharges, pixCharges, walletCharges } from './rail/rail-charges.js'
import { createRailMethod } from './rail/rail-method.js'

/** The methods of one environment. */
export function createPaymentMethods(deps: MethodDeps): PaymentMethods {
  const atBanks = (charges: RailCharges) => createBankMethod(deps, createRailMethod(deps, charges))
  return paymentMethodsOf([
    createCardMethod(deps),
    atBanks(pixCharges),
    atBanks(boletoCharges(deps.boletoDays)),
    createRailMethod(deps, walletCharges),
  ])
}
