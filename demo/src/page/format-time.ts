import type { Language } from '../language/language.js'

const TIME_ZONE = 'America/Sao_Paulo'

/** A moment for a customer: `21 de nov. de 2026, 14:05`. */
export function formatTime(timeMs: number, language: Language): string {
  return format(timeMs, language, { dateStyle: 'medium', timeStyle: 'short', timeZone: TIME_ZONE })
}

/** A day for a customer. @param date - `YYYY-MM-DD`. */
export function formatDay(date: string, language: Language): string {
  return format(Date.parse(date), language, { dateStyle: 'long', timeZone: 'UTC' })
}

function format(timeMs: number, language: Language, options: Intl.DateTimeFormatOptions): string {
  return Number.isNaN(timeMs) ? '' : new Intl.DateTimeFormat(language, options).format(timeMs)
}
