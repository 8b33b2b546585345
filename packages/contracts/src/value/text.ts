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

/** True if the text is a day of the Gregorian calendar as `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
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
