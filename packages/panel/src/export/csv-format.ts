import type { MinorUnits } from '@cofre/contracts'

/** Separators of cells: Brazilian spreadsheets expect the semicolon. */
export const SEPARATORS = ['semicolon', 'comma'] as const
export type Separator = (typeof SEPARATORS)[number]

export function readSeparator(text: string | undefined): Separator {
  return SEPARATORS.find((known) => known === text) ?? 'semicolon'
}

/** An amount as a spreadsheet with this separator reads it: `1234,56`, `1234.56`. */
export function csvAmount(amount: MinorUnits, separator: Separator): string {
  const digits = String(amount).padStart(3, '0')
  return `${digits.slice(0, -2)}${separator === 'semicolon' ? ',' : '.'}${digits.slice(-2)}`
}

const TIME = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'America/Sao_Paulo',
})

/** In Brasília, as spreadsheets of all languages read it: `2026-11-21 09:00:00`. */
export function csvTime(timeMs: number | undefined): string {
  return timeMs === undefined ? '' : TIME.format(timeMs)
}
