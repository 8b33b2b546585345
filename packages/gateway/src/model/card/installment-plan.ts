import { type MinorUnits, minorUnits } from '@cofre/contracts'

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

/** What a plan is made of. */
interface PlanParts {
  /** Each quantity costs the least that one of these asks. */
  readonly terms: readonly InstallmentTerms[]
  readonly quantityMax: number
}

/**
 * The ways to pay the amount, from one installment up. Interest by the Price table, first payment
 * after a month.
 */
export function installmentPlan(
  amount: MinorUnits,
  { terms, quantityMax }: PlanParts,
): Installment[] {
  const plan: Installment[] = []
  for (let quantity = 1; quantity <= quantityMax; quantity++) {
    const [cheapest] = terms
      .map((one) => installmentOf(amount, quantity, one))
      .filter(({ totalMinor }) => quantity === 1 || totalMinor >= quantity * INSTALLMENT_MIN)
      .toSorted((one, other) => one.totalMinor - other.totalMinor)
    if (cheapest === undefined) break
    plan.push(cheapest)
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
