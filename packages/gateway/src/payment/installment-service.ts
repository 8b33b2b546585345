// What installments cost, wherever it is asked: look-ups, pages, payments.
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
  /** Undefined where it is not known: the cheapest brand's price holds. */
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

/** What is shown of an amount of the store. It is charged no more for an hour. */
export const shownInstallments = pricedBy(shownTerms)

/** What an amount of the store is charged: no more than was shown of it in the last hour. */
export const chargedInstallments = pricedBy(chargedTerms)

/** What the page of a link has shown is less than what is charged by now. */
export const priceChanged = {
  name: 'charge_#_payment_info_installments_invalid',
  property: 'charge[0].payment-info.installments',
  constraint: 'maximum',
  index: 0,
  cause: 'price',
} as const

/** @param shownMinor - Undefined where what the payer was shown is not known. */
export function isDearer(
  { totalMinor }: Pick<Installment, 'totalMinor'>,
  shownMinor: MinorUnits | undefined,
): boolean {
  return shownMinor !== undefined && totalMinor > shownMinor
}

/** How many installments the store offers. */
export function quantityMaxOf({ installmentsMax }: PricingStore): number {
  return installmentsMax ?? INSTALLMENTS_MAX
}
