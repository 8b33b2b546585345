// The cost of installments for look-ups, pages and payments.
import { type Clock, INSTALLMENTS_MAX, type MinorUnits } from '@cofre/contracts'
import {
  type Installment,
  type InstallmentTerms,
  installmentPlan,
} from '../model/card/installment-plan.js'
import { chargedTerms, shownTerms } from '../model/card/store-interest.js'
import type { Merchant } from '../model/merchant/merchant.js'

interface InstallmentDeps {
  readonly installmentTerms: InstallmentTerms
  readonly machineClock: Clock
}

type PricingStore = Pick<Merchant, 'interest' | 'installmentsMax'>

interface Priced {
  readonly amount: MinorUnits
  /** Undefined if it is not known: the cheapest brand's price applies. */
  readonly brand: string | undefined
}

const pricedBy =
  (termsOf: typeof shownTerms) =>
  (
    { installmentTerms: usual, machineClock }: InstallmentDeps,
    store: PricingStore,
    { amount, brand }: Priced,
  ): readonly Installment[] => {
    const terms = termsOf({ changes: store.interest, usual, brand, nowMs: machineClock.now() })
    return installmentPlan(amount, { terms, quantityMax: quantityMaxOf(store) })
  }

/** The shown installments of an amount. The store charges no more for an hour. */
export const shownInstallments = pricedBy(shownTerms)

/** The charged installments of an amount: no more than was shown in the last hour. */
export const chargedInstallments = pricedBy(chargedTerms)

/** The failure if the price has risen since the page of a link showed it. */
export const priceChanged = {
  name: 'charge_#_payment_info_installments_invalid',
  property: 'charge[0].payment-info.installments',
  constraint: 'maximum',
  index: 0,
  cause: 'price',
} as const

/** @param shownMinor - Undefined if the price that the payer saw is not known. */
export function isDearer(
  { totalMinor }: Pick<Installment, 'totalMinor'>,
  shownMinor: MinorUnits | undefined,
): boolean {
  return shownMinor !== undefined && totalMinor > shownMinor
}

/** The number of installments that the store offers. */
export function quantityMaxOf({ installmentsMax }: PricingStore): number {
  return installmentsMax ?? INSTALLMENTS_MAX
}
