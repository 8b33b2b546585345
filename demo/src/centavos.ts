import type { Language } from './language/language.js'

/** An amount in centavos, a non-negative safe integer. */
export type Centavos = number

/** The amount as the API takes it, without float arithmetic: 4290 is 42.90. */
export function toReais(amountCentavos: Centavos): number {
  return Number(`${BigInt(amountCentavos)}e-2`)
}

/** An amount as the API or a person writes it: `42.90`, `42,9`, `42`; undefined for what is none. */
export function parseReais(text: string): Centavos | undefined {
  const [, reais, decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  return reais === undefined ? undefined : Number(reais + decimals.padEnd(2, '0'))
}

/** The amount for a customer: `R$ 42,90`. */
export function formatCentavos(amountCentavos: Centavos, language: Language): string {
  return formatReais(toReais(amountCentavos), language)
}

/** An amount of an API answer for a customer. */
export function formatReais(amountReais: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' }).format(amountReais)
}
