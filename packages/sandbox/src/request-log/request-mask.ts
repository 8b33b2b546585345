import {
  SAVED_CODE_LENGTH,
  TOKEN_FIELDS,
  decodedTarget,
  holdsCardDigits,
  isLikeSecurityCode,
  maskNamedSecurityCodes,
  namesSecurityCode,
  passesLuhn,
  replaceCardNumbers,
  withPlainDigits,
} from '@cofre/contracts'

// A request in a form that may be stored. Of a card, only the last four digits of its number
// remain, and only in the number's own field: elsewhere they could be a security code after it. Any
// text that could be a card is treated as one, everywhere. Numbers that the service itself has
// issued are exempt.

/**
 * Numbers that the service itself issued: transaction codes and barcodes may look like a card's.
 */
export type KnownNumbers = ReadonlySet<string>

const REMOVED = '[removed]'
const MASK = '************'
const CARD_DIGITS_MIN = 13
const CARD_DIGITS_MAX = 19
const DEPTH_MAX = 32
/** A longer text is cut. */
const TEXT_LENGTH_MAX = 2048
const TOKEN_SHOWN = 12

/** Digits in the usual notations of card numbers. */
const NUMBER = /\d(?:[\s.,\-_/|*·•]{0,3}\d)*/g
/** Starts only at the start of a word, so that no part of a word is read more than five times. */
const COMPACT_TOKEN = /(?<![\w-])[\w-]{10,}\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+/g
const PAYMENT_INFO = /^payment[-_]?info$/i
/** American Express calls it so; elsewhere it is any customer's number. */
const NAMED_CID = /(\bcid\b\W{0,8})\d{3,4}(?!\d)/gi
/** A token's header is JSON. A text with another beginning may be a card or its code. */
const TOKEN = /^eyJ[\w.-]*$/
/** A card number alone: with a security code after it, it would be longer. */
const CARD_NUMBER = /^\s*\d(?:[ -]?\d){12,15}\s*$/
/** The card's other fields that may be shown if they have the expected form. */
const CARD_FIELDS: ReadonlyMap<string, RegExp> = new Map([
  ['expiration-date', /^\d{4}-\d{2}$/],
  ['brand', /^[a-z]+$/],
  ['masked-number', /^\*+\d{4}$/],
])

/** A JSON text, masked; undefined when it is not JSON. */
export function maskJson(text: string, known: KnownNumbers): string | undefined {
  try {
    return JSON.stringify(maskValue(JSON.parse(text), known, DEPTH_MAX))
  } catch {
    // Unreadable text cannot be masked.
    return undefined
  }
}

/** A path with its query, masked, also behind percent-encoding. */
export function maskTarget(target: string, known: KnownNumbers): string {
  const masked = maskQuery(maskWhole(target, known))
  const decoded = decodedTarget(target)
  const maskedDecoded = maskQuery(maskWhole(decoded, known))
  return cut(maskedDecoded === decoded ? masked : maskedDecoded)
}

/** Text with card numbers, named security codes and tokens masked. */
export function maskText(text: string, known: KnownNumbers): string {
  return cut(maskWhole(text, known))
}

function maskWhole(text: string, known: KnownNumbers): string {
  const shorter = withPlainDigits(text).replaceAll(COMPACT_TOKEN, shortened)
  const masked = maskNamedSecurityCodes(shorter, REMOVED).replaceAll(NAMED_CID, `$1${REMOVED}`)
  return maskLongNumbers(masked, known)
}

/** Applied after masking: half a card number is not recognized as one. */
function cut(masked: string): string {
  return masked.length > TEXT_LENGTH_MAX ? `${masked.slice(0, TEXT_LENGTH_MAX - 1)}…` : masked
}

function maskValue(value: unknown, known: KnownNumbers, depth: number): unknown {
  if (typeof value === 'string') return known.has(value) ? cut(value) : maskText(value, known)
  if (typeof value === 'number') return maskNumber(value, known)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return REMOVED
  if (!Array.isArray(value))
    return Object.fromEntries(maskEntries(Object.entries(value), known, depth))
  const entries = value.map((entry: unknown): Entry => ['', entry])
  return maskEntries(entries, known, depth).map(([, entry]) => entry)
}

type Entry = readonly [name: string, value: unknown]

function maskEntries(entries: readonly Entry[], known: KnownNumbers, depth: number): Entry[] {
  const hasCard = entries.some(([, value]) => isCard(value, known))
  return entries.map(([name, value]) => {
    const whole = maskWhole(name, known)
    const masked = cut(whole)
    if (TOKEN_FIELDS.includes(name)) return [masked, shownToken(value)]
    if (name === 'secret' || namesSecurityCode(name)) return [masked, REMOVED]
    if (PAYMENT_INFO.test(name))
      return [masked, maskValue(withoutShortNumbers(value, depth), known, depth - 1)]
    if (/^credit-?card$/i.test(name)) return [masked, maskCard(value, known)]
    // The value under a card number as a name may be its security code; so may three or four digits
    // beside one.
    if (whole !== name) return [masked, REMOVED]
    if (hasCard && isLikeSecurityCode(value)) return [masked, REMOVED]
    return [masked, maskValue(value, known, depth - 1)]
  })
}

/**
 * No field of `payment-info` has three or four digits, and a saved card's code is long: others may
 * be a security code.
 */
function withoutShortNumbers(value: unknown, depth: number): unknown {
  if (isLikeSecurityCode(value)) return REMOVED
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return REMOVED
  if (Array.isArray(value)) return value.map((each) => withoutShortNumbers(each, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'code' && String(each).length < SAVED_CODE_LENGTH
        ? REMOVED
        : withoutShortNumbers(each, depth - 1),
    ]),
  )
}

/** Keeps a card's known fields; of its number, only the last four digits. */
function maskCard(value: unknown, known: KnownNumbers): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return REMOVED
  const fields = Object.entries(value).map(([name, field]): Entry => {
    if (typeof field !== 'string') return [maskText(name, known), REMOVED]
    if (name === 'number') return [name, CARD_NUMBER.test(field) ? lastFourOf(field) : REMOVED]
    const isShown = CARD_FIELDS.get(name)?.test(field) === true
    return [maskText(name, known), isShown ? cut(field) : REMOVED]
  })
  return Object.fromEntries(fields)
}

function maskNumber(value: number, known: KnownNumbers): unknown {
  const text = String(value)
  if (known.has(text) || Math.abs(value) < 10 ** (CARD_DIGITS_MIN - 1)) return value
  // Digits beyond a safe integer were lost in parsing, so they may have been a card's.
  if (!Number.isSafeInteger(value)) return REMOVED
  const masked = maskText(text, known)
  return masked === text ? value : masked
}

function isCard(value: unknown, known: KnownNumbers): boolean {
  if (typeof value === 'number') return maskNumber(value, known) !== value
  return typeof value === 'string' && !known.has(value) && maskLongNumbers(value, known) !== value
}

function maskLongNumbers(text: string, known: KnownNumbers): string {
  const masked = text.replaceAll(NUMBER, (run) => maskRun(run, known))
  return replaceCardNumbers(masked, (written) => (isKnown(written, known) ? written : MASK))
}

function maskRun(run: string, known: KnownNumbers): string {
  const digits = run.replaceAll(/\D/g, '')
  if (digits.length < CARD_DIGITS_MIN) return run
  if (isKnown(run, known)) return run
  return mayHoldCard(digits) ? MASK : run
}

function isKnown(written: string, known: KnownNumbers): boolean {
  return known.has(written) || known.has(written.replaceAll(/\D/g, ''))
}

/** True for a number with a right check digit, or one that contains a known brand's card. */
function mayHoldCard(digits: string): boolean {
  return (digits.length <= CARD_DIGITS_MAX && passesLuhn(digits)) || holdsCardDigits(digits)
}

function lastFourOf(text: string): string {
  return MASK + text.replaceAll(/\D/g, '').slice(-4)
}

function shownToken(value: unknown): string {
  return typeof value === 'string' && TOKEN.test(value) ? shortened(value) : REMOVED
}

function shortened(token: string): string {
  return token.length > TOKEN_SHOWN ? `${token.slice(0, TOKEN_SHOWN)}…` : REMOVED
}

/** Masks values of query parameters that are named like a security code or a token. */
function maskQuery(target: string): string {
  return target.replaceAll(
    /([?&])([^=&?]*)=([^&]*)/g,
    (parameter: string, mark: string, name: string) =>
      namesSecurityCode(name) || TOKEN_FIELDS.includes(name)
        ? `${mark}${name}=${REMOVED}`
        : parameter,
  )
}
