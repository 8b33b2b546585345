import { DAY_MS, HOUR_MS, MINUTE_MS, type MinorUnits, SECOND_MS } from '@cofre/contracts'
import * as pages from '@cofre/pages'

type Language = pages.Language

const dateStyleOf = (language: Language) => (language === 'pt-BR' ? 'short' : 'medium')

/** An amount for a reader: `R$ 1.234,56`, `BRL 1,234.56`. */
export function formatMoney(amount: MinorUnits, language: Language): string {
  return pages.formatMoney(amount, language, language === 'pt-BR' ? 'symbol' : 'code')
}

/** Date and time in Brasília to the second: `21/11/2026, 10:15:30`, `Nov 21, 2026, 10:15:30`. */
export function formatTime(timeMs: number, language: Language): string {
  const dateStyle = dateStyleOf(language)
  return pages.formatTime(timeMs, language, { dateStyle, timeStyle: 'medium', hourCycle: 'h23' })
}

/** Date and time in Brasília to the minute, for lists: `21/11/2026, 10:15`. */
export function formatMinute(timeMs: number, language: Language): string {
  const dateStyle = dateStyleOf(language)
  return pages.formatTime(timeMs, language, { dateStyle, timeStyle: 'short', hourCycle: 'h23' })
}

/** `YYYY-MM-DD` for a reader. */
export function formatDay(day: string, language: Language): string {
  return pages.formatDay(day, language, dateStyleOf(language))
}

export function formatCount(count: number, language: Language): string {
  return new Intl.NumberFormat(language).format(count)
}

/** The name of a valid language tag in the reader's language: `Portuguese (Brazil)`. */
export function formatLanguage(tag: string, language: Language): string {
  const names = new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' })
  return names.of(tag) ?? tag
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const

/** A duration by its largest two units: `1 day, 2 hours`. */
export function formatDuration(durationMs: number, language: Language): string {
  let restMs = durationMs
  const parts = UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(restMs / unitMs)
    restMs -= count * unitMs
    return count === 0 ? [] : [formatUnit(count, unit, language)]
  })
  const shown = parts.length === 0 ? [formatUnit(0, 'second', language)] : parts.slice(0, 2)
  return new Intl.ListFormat(language, { type: 'unit', style: 'long' }).format(shown)
}

function formatUnit(count: number, unit: string, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
