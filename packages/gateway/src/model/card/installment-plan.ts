import { INSTALLMENTS_MAX, type MinorUnits, minorUnits } from '@cofre/contracts'

/** What paying in installments costs. */
export interface InstallmentTerms {
  /** Interest a month, as a fraction: 0.0299. */
  readonly monthlyRate: number
  /** How many installments the shop offers without interest; at least 1. */
  readonly interestFree: number
}

export interface Installment {
  readonly quantity: number
  readonly totalMinor: MinorUnits
  readonly installmentMinor: MinorUnits
  readonly interestFree: boolean
}

/** No part of a payment is smaller (specification, section 8). */
export const INSTALLMENT_MIN: MinorUnits = minorUnits(500)

/**
 * The ways to pay the amount, from one installment up. Interest by the Price table, first payment
 * after a month.
 */
export function installmentPlan(amount: MinorUnits, terms: InstallmentTerms): Installment[] {
  const plan: Installment[] = []
  for (let quantity = 1; quantity <= INSTALLMENTS_MAX; quantity++) {
    const installment = installmentOf(amount, quantity, terms)
    if (quantity > 1 && installment.installmentMinor < INSTALLMENT_MIN) break
    plan.push(installment)
  }
  return plan
}

function installmentOf(amount: MinorUnits, quantity: number, terms: InstallmentTerms): Installment {
  if (quantity === 1 || quantity <= terms.interestFree || terms.monthlyRate === 0) {
    const installmentMinor = minorUnits(Math.round(amount / quantity))
    return { quantity, totalMinor: amount, installmentMinor, interestFree: true }
  }
  // A double is exact enough for a payment of up to 10^9 centavos, rounded once.
  const rate = terms.monthlyRate
  const installmentMinor = minorUnits(Math.round((amount * rate) / (1 - (1 + rate) ** -quantity)))
  return {
    quantity,
    totalMinor: minorUnits(installmentMinor * quantity),
    installmentMinor,
    interestFree: false,
  }
}
