import type { Language } from './language/language.js'

/** An amount in centavos, a non-negative safe integer. */
export type Centavos = number

/** The amount as the API takes it, without float arithmetic: 4290 is 42.90. */
export function toReais(amountCentavos: Centavos): number {
  return Number(`${BigInt(amountCentavos)}e-2`)
}

/** The amount for a customer: `R$ 42,90`. */
export function formatCentavos(amountCentavos: Centavos, language: Language): string {
  return formatReais(toReais(amountCentavos), language)
}

/** An amount of an API answer for a customer. */
export function formatReais(amountReais: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' }).format(amountReais)
}
