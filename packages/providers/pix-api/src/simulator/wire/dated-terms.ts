// The owed amount of a charge with a due date, by the day of payment.
import { DAY_MS, HOUR_MS, type MinorUnits, minorUnits } from '@cofre/contracts'
import type { DatedTerms } from './dated-wire.js'
import { amountOf } from './wire.js'

/** The parts of the owed amount; zero parts are left out. */
export interface Components {
  readonly original: MinorUnits
  readonly multa?: MinorUnits | undefined
  readonly juros?: MinorUnits | undefined
  readonly abatimento?: MinorUnits | undefined
  readonly desconto?: MinorUnits | undefined
}

/** Behind UTC all year. */
const BRASILIA_OFFSET_MS = 3 * HOUR_MS
const MONTH_DAYS = 30
const YEAR_DAYS = 365
const HUNDRED_PERCENT = 10_000

/** `YYYY-MM-DD`: the bank's day. */
export function dayAt(timeMs: number): string {
  return new Date(timeMs - BRASILIA_OFFSET_MS).toISOString().slice(0, 10)
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The day itself, or the Monday after a weekend. This bank has no holidays. */
function workingDay(day: string): string {
  const weekday = new Date(Date.parse(day)).getUTCDay()
  if (weekday === 0) return dayAfter(day, 1)
  return weekday === 6 ? dayAfter(day, 2) : day
}

/** The last day on which a payer is not late. */
function dueDay({ calendario }: DatedTerms): string {
  return workingDay(calendario.dataDeVencimento)
}

/** The last day on which the charge can be paid. */
export function lastDayOf(terms: DatedTerms): string {
  return workingDay(dayAfter(dueDay(terms), terms.calendario.validadeAposVencimento))
}

/** The end of that day. */
export function endOf(terms: DatedTerms): number {
  return Date.parse(dayAfter(lastDayOf(terms), 1)) + BRASILIA_OFFSET_MS
}

export function owedOn(day: string, terms: DatedTerms): Components {
  const { abatimento, desconto, juros, multa, original: text } = terms.valor
  const original = amountOf(text)
  const lateDays = Math.max(0, (Date.parse(day) - Date.parse(dueDay(terms))) / DAY_MS)
  const discount = desconto?.descontoDataFixa.find(({ data }) => day <= workingDay(data))
  const parts = {
    multa: multa && lateDays > 0 ? partOf(original, multa) : 0,
    juros: juros ? interestOf(original, juros, lateDays) : 0,
    abatimento: abatimento ? partOf(original, abatimento) : 0,
    desconto:
      desconto && discount
        ? partOf(original, { modalidade: desconto.modalidade, valorPerc: discount.valorPerc })
        : 0,
  }
  const present = Object.entries(parts).filter(([, amount]) => amount > 0)
  const amounts = present.map(([name, amount]) => [name, minorUnits(amount)] as const)
  return { original, ...Object.fromEntries(amounts) }
}

export function totalOf(components: Components): MinorUnits {
  const { original, multa = 0, juros = 0, abatimento = 0, desconto = 0 } = components
  return minorUnits(original + multa + juros - abatimento - desconto)
}

interface Part {
  readonly modalidade: 1 | 2
  readonly valorPerc: string
}

/** An amount, or a percentage of the original. */
function partOf(original: number, { modalidade, valorPerc }: Part): number {
  const value = amountOf(valorPerc)
  return modalidade === 1 ? value : Math.round((original * value) / HUNDRED_PERCENT)
}

function interestOf(
  original: number,
  { modalidade, valorPerc }: NonNullable<DatedTerms['valor']['juros']>,
  days: number,
): number {
  const value = amountOf(valorPerc)
  if (modalidade === 1) return value * days
  const periodDays = { 2: 1, 3: MONTH_DAYS, 4: YEAR_DAYS }[modalidade]
  return Math.round((original * value * days) / (HUNDRED_PERCENT * periodDays))
}
