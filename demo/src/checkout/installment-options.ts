import type { InstallmentBody } from '@cofre/merchant'
import { type Centavos, formatCentavos, formatReais } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'

/** An option of the installments' list. */
export interface InstallmentOption {
  readonly quantity: number
  readonly label: string
}

/** Words for what the service offers. */
export function installmentOptions(
  installments: readonly InstallmentBody[],
  language: Language,
  { checkout }: Messages,
): readonly InstallmentOption[] {
  return installments.map(({ quantity, installmentAmount, totalAmount, interestFree }) => {
    const amount = formatReais(installmentAmount, language)
    const interest = interestFree
      ? checkout.interestFree
      : checkout.withInterest(formatReais(totalAmount, language))
    const label =
      quantity === 1
        ? checkout.oneInstallment(amount)
        : `${checkout.manyInstallments(quantity, amount)} (${interest})`
    return { quantity, label }
  })
}

/** The one option there is before the card is known. */
export function singlePayment(
  totalCentavos: Centavos,
  language: Language,
  { checkout }: Messages,
): InstallmentOption {
  return {
    quantity: 1,
    label: checkout.oneInstallment(formatCentavos(totalCentavos, language)),
  }
}
