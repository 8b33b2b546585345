import { type MinorUnits, formatAmount, parseAmount } from '@cofre/contracts'
import type { Language } from '@cofre/pages'

/** Brazilian `1.234,56`, or with a decimal point: `1,234.56`. */
const BRAZILIAN = /^(\d{1,3}(?:\.\d{3})+|\d{1,10})(?:,(\d{1,2}))?$/
const WITH_POINT = /^(\d{1,3}(?:,\d{3})+|\d{1,10})\.(\d{1,2})$/

export function readAmount(typed: string): MinorUnits | undefined {
  const text = typed.replace(/^\s*(?:R\$|BRL)/i, '').trim()
  const [, whole, cents = ''] = BRAZILIAN.exec(text) ?? WITH_POINT.exec(text) ?? []
  if (whole === undefined) return undefined
  return parseAmount(`${whole.replaceAll(/[.,]/g, '')}.${cents.padEnd(2, '0')}`)
}

/** An amount as a person would type it. */
export function editableAmount(amountMinor: MinorUnits, language: Language): string {
  const text = formatAmount(amountMinor)
  return language === 'pt-BR' ? text.replace('.', ',') : text
}
