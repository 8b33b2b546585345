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
  messages: Messages,
): readonly InstallmentOption[] {
  return installments.map((terms) => ({
    quantity: terms.quantity,
    label: installmentLabel(terms, language, messages),
  }))
}

/** One way to pay, in words. */
export function installmentLabel(
  { quantity, installmentAmount, totalAmount, interestFree }: InstallmentBody,
  language: Language,
  { checkout }: Messages,
): string {
  const amount = formatReais(installmentAmount, language)
  if (quantity === 1) return checkout.oneInstallment(amount)
  const interest = interestFree
    ? checkout.interestFree
    : checkout.withInterest(formatReais(totalAmount, language))
  return `${checkout.manyInstallments(quantity, amount)} (${interest})`
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
