/** The beginning of a text, without half of a character at its end. */
export function beginningOf(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, lengthMax).replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * The text without characters that are invisible, break its line or change its direction: controls,
 * bidi marks.
 * @param instead - Replacement for each of them.
 */
export function plainTextOf(text: string, instead: '' | ' ' = ''): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, instead)
}

/** True if no character of the text is invisible, breaks its line or changes its direction. */
export function isPlainText(text: string): boolean {
  return plainTextOf(text) === text
}

/** The number of days in a month of the Gregorian calendar; 0 if there is no such month. */
function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

/** True if the text is a day of the Gregorian calendar as `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8))
  return day >= 1 && day <= daysOf(Number(text.slice(0, 4)), month)
}

/**
 * Draws a text of the given length, with each character of the alphabet equally likely.
 * @param randomBelow - A uniform integer from 0 up to, not including, its argument.
 */
export function drawText(
  alphabet: string,
  length: number,
  randomBelow: (limit: number) => number,
): string {
  const draw = (): string => alphabet.charAt(randomBelow(alphabet.length))
  return Array.from({ length }, draw).join('')
}
