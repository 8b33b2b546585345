import type { Language } from './language.js'

const BRASILIA = 'America/Sao_Paulo'

/**
 * An amount of centavos for a reader: `R$ 1.234,56`, `R$1,234.56`, or with its code,
 * `BRL 1,234.56`.
 */
export function formatMoney(
  centavos: number,
  language: Language,
  currencyDisplay: 'symbol' | 'code' = 'symbol',
): string {
  // As a decimal text, because a float is not exact.
  const amount = `${BigInt(centavos)}e-2` as `${number}`
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL', currencyDisplay })
    .format(amount)
    .replaceAll('\u00A0', ' ')
}

/** Date and time in Brasília: `21 de nov. de 2026, 14:05`. */
export function formatTime(
  timeMs: number,
  language: Language,
  style: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string {
  return new Intl.DateTimeFormat(language, { ...style, timeZone: BRASILIA }).format(timeMs)
}

/** A day, `YYYY-MM-DD`, for a reader; empty if the text is not a day. */
export function formatDay(
  day: string,
  language: Language,
  dateStyle: 'short' | 'medium' | 'long' = 'long',
): string {
  const timeMs = Date.parse(day)
  if (Number.isNaN(timeMs)) return ''
  return new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' }).format(timeMs)
}
