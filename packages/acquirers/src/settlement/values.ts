import { SettlementFileError, type SettlementPlace, isCalendarDate } from '@cofre/contracts'

/** More, added up over a file, is beyond a safe integer. */
const AMOUNT_MAX_MINOR = 99_999_999_999

const PLAIN = /^(?<minus>-?)(?<whole>\d{1,13})(?:[.,](?<cents>\d{1,2}))?$/
/** Without centavos, a point before three digits may be either. */
const GROUPED = /^(?<minus>-?)(?<whole>\d{1,3}(?:\.\d{3}){1,4}),(?<cents>\d{1,2})$/

/**
 * An amount in centavos, as spreadsheets write it: `129.90`, `129,90`, `-1.299,90`, `130`.
 * @throws SettlementFileError `bad-value`
 */
export function amountOf(text: string, place: SettlementPlace): number {
  const { minus, whole, cents = '' } = (PLAIN.exec(text) ?? GROUPED.exec(text))?.groups ?? {}
  if (whole === undefined) throw new SettlementFileError('bad-value', place)
  const minor = Number(`${whole.replaceAll('.', '')}${cents.padEnd(2, '0')}`)
  return boundedAmount(minus === '' || minor === 0 ? minor : -minor, place)
}

/**
 * An amount in centavos, as machines write it: `129.90`, `-1234.5`.
 * @throws SettlementFileError `bad-value`
 */
export function decimalOf(text: string, place: SettlementPlace): number {
  if (text.includes(',')) throw new SettlementFileError('bad-value', place)
  return amountOf(text, place)
}

/** @throws SettlementFileError `bad-value` for what no store is paid at once */
export function boundedAmount(minor: number, place: SettlementPlace): number {
  if (Math.abs(minor) > AMOUNT_MAX_MINOR) throw new SettlementFileError('bad-value', place)
  return minor
}

/**
 * A day as `YYYY-MM-DD`.
 * @param text - So, with or without a time behind; or `DD/MM/YYYY`.
 * @throws SettlementFileError `bad-value`
 */
export function dayOf(text: string, place: SettlementPlace): string {
  const [, dd, mm, yyyy] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  const day = yyyy === undefined ? dateIn(text) : `${yyyy}-${mm}-${dd}`
  if (!isCalendarDate(day)) throw new SettlementFileError('bad-value', place)
  return day
}

function dateIn(text: string): string {
  return /^.{10}[ T]/.test(text) ? text.slice(0, 10) : text
}

const NAME_LENGTH_MAX = 100

/**
 * What a payment is called; undefined where it has no such name.
 * @throws SettlementFileError `bad-value`
 */
export function nameOf(text: string, place: SettlementPlace): string | undefined {
  if (text.length > NAME_LENGTH_MAX) throw new SettlementFileError('bad-value', place)
  return text === '' ? undefined : text
}

/**
 * Which part of a sale, or of how many; undefined for none.
 * @throws SettlementFileError `bad-value`
 */
export function partOf(text: string, place: SettlementPlace): number | undefined {
  if (/^0*$/.test(text)) return undefined
  if (!/^\d{1,2}$/.test(text)) throw new SettlementFileError('bad-value', place)
  return Number(text)
}
