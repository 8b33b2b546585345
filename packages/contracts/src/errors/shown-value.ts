/** A number with more digits may be a card's or a person's. */
const DIGITS_SHOWN_MAX = 8
const SHORT_TEXT = /^[^\p{Cc}`]{1,40}$/u

/**
 * A value that an error may show; undefined if it is long, or may hide a card's or a person's
 * number. Only for fields that have neither by their meaning.
 */
export function shownValue(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return undefined
  const text = String(value)
  const digits = text.replaceAll(/\P{Nd}/gu, '').length
  return SHORT_TEXT.test(text) && digits <= DIGITS_SHOWN_MAX ? text : undefined
}
