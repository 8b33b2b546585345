// The registry: the one file that names all methods.
import {
  type PaymentMethod,
  type PaymentMethods,
  paymentMethodsOf,
} from '../method/payment-method.js'
import { chargeMethodOf } from '../model/payment-rail/charge-kind.js'
import type { Transaction } from '../model/transaction/transaction.js'
import { type NewChargeRequest, payAtBank } from '../payment/bank-payment-service.js'
import { type WantedBoleto, boletoRouteOf } from '../payment/boleto-route-service.js'
import type { MethodParts } from '../composition/gateway-parts.js'
import { endedAtBanks, givenByBanks, openAtBanks, plannedAtBanks } from './bank/bank-method.js'
import { createCardMethod } from './card/card-method.js'
import { createCardReturns } from './card/card-returns.js'
import { type RailCharges, boletoCharges, pixCharges, walletCharges } from './rail/rail-charges.js'
import { createRailMethod } from './rail/rail-method.js'

/** The methods of one environment. */
export function createPaymentMethods(deps: MethodParts): PaymentMethods {
  const atBanks = (charges: RailCharges) => createBankMethod(deps, charges)
  return paymentMethodsOf([
    createCardMethod(deps, createCardReturns(deps)),
    atBanks(pixCharges),
    atBanks(boletoCharges(deps.boletoDays)),
    createRailMethod(deps, walletCharges),
  ])
}

function createBankMethod(deps: MethodParts, charges: RailCharges): PaymentMethod {
  const simulated = createRailMethod(deps, charges)
  const method = chargeMethodOf(charges.type)
  if (method === undefined) throw new Error(`banks open no charge of type ${charges.type}`)
  const asking = {
    boletoRoute: (merchantId: string, wanted: WantedBoleto) =>
      boletoRouteOf(deps, merchantId, wanted),
    payAtBank: (intent: Transaction, asked: NewChargeRequest) => payAtBank(deps, intent, asked),
  }
  return {
    ...simulated,
    ...plannedAtBanks({ ...deps, ...asking }, method, simulated),
    ...openAtBanks(deps, simulated),
    ...endedAtBanks(deps, simulated),
    ...givenByBanks(deps),
  }
}
