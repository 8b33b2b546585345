import { type MinorUnits, minorUnits } from '@cofre/contracts'

/** The cost of paying in installments. */
export interface InstallmentTerms {
  /** Monthly interest, as a fraction: 0.0299. */
  readonly monthlyRate: number
  /** The number of installments that the shop offers without interest; at least 1. */
  readonly interestFree: number
}

export interface Installment {
  readonly quantity: number
  readonly totalMinor: MinorUnits
  readonly installmentMinor: MinorUnits
  readonly interestFree: boolean
}

/** The smallest part of a payment (specification, section 8). */
export const INSTALLMENT_MIN: MinorUnits = minorUnits(500)

/** The parts of a plan. */
interface PlanParts {
  /** Each quantity has the cheapest of these terms. */
  readonly terms: readonly InstallmentTerms[]
  readonly quantityMax: number
}

/**
 * The ways to pay the amount, from one installment up. Interest follows the Price table, with the
 * first payment after a month.
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
