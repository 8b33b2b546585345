import {
  decodedTarget,
  holdsCardDigits,
  passesLuhn,
  replaceCardNumbers,
  withPlainDigits,
} from '@cofre/contracts'

// A request as it may be kept: without anything of a card but the last four digits of its number,
// and these only where the number belongs: elsewhere they could be those of a security code behind
// it. Whatever could be a card is taken for one, wherever it stands; what the service itself has
// answered as a number of its own is not.

/** Numbers the service itself gave out: transaction codes and barcodes may look like a card's. */
export type KnownNumbers = ReadonlySet<string>

const REMOVED = '[removed]'
const MASK = '************'
const CARD_DIGITS_MIN = 13
const CARD_DIGITS_MAX = 19
const DEPTH_MAX = 32
/** Of a longer text only the beginning is kept. */
const TEXT_LENGTH_MAX = 2048
const TOKEN_SHOWN = 12

/** Digits as people write card numbers. */
const NUMBER = /\d(?:[\s.,\-_/|*·•]{0,3}\d)*/g
const SECURITY_CODE_NAME =
  /ca?vv|cvc|csc|\bcid\b|secur\w{0,9}[-_ ]?code|codigo[-_ ]?(?:de[-_ ]?)?segur/i
/** A security code in a text, after its name. */
const NAMED_SECURITY_CODE =
  /((?:cvv|cvc|csc|\bcid\b|secur\w{0,9}[-_ ]?code|codigo[-_ ]?(?:de[-_ ]?)?segur\w{0,9})\d?\W{0,8})\d{3,4}(?!\d)/gi
/** Begins where a word does, so that no part of a word is read more than five times. */
const COMPACT_TOKEN = /(?<![\w-])[\w-]{10,}\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+/g
const SHORT_NUMBER = /^\s*\d{3,4}\s*$/
/** A card number alone: with a security code behind it, it would be longer. */
const CARD_NUMBER = /^\s*\d(?:[ -]?\d){12,15}\s*$/
/** What is shown of a card besides its number, when it has the form it should have. */
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
    // What cannot be read cannot be masked.
    return undefined
  }
}

/** A path with its query, masked, also where it hides behind percent-encoding. */
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
  const masked = withPlainDigits(text)
    .replaceAll(COMPACT_TOKEN, shortened)
    .replaceAll(NAMED_SECURITY_CODE, `$1${REMOVED}`)
  return maskLongNumbers(masked, known)
}

/** Of what is masked already: half a card number looks like none. */
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
    if (SECURITY_CODE_NAME.test(name)) return [masked, REMOVED]
    if (name === 'token' && typeof value === 'string') return [masked, shortened(value)]
    if (/^credit-?card$/i.test(name)) return [masked, maskCard(value, known)]
    // Behind a card number as a name stands its security code; beside one, three or four digits do.
    if (whole !== name) return [masked, REMOVED]
    if (hasCard && isShortNumber(value)) return [masked, REMOVED]
    return [masked, maskValue(value, known, depth - 1)]
  })
}

/** A card keeps the fields that are known, its number only as the last four digits. */
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
  // Digits beyond a safe integer were lost in reading: nobody knows whether they were a card's.
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

function isShortNumber(value: unknown): boolean {
  return (
    (typeof value === 'string' && SHORT_NUMBER.test(value)) ||
    (typeof value === 'number' && SHORT_NUMBER.test(String(value)))
  )
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

/** A number with a right check digit, or a known brand's card anywhere within it. */
function mayHoldCard(digits: string): boolean {
  return (digits.length <= CARD_DIGITS_MAX && passesLuhn(digits)) || holdsCardDigits(digits)
}

function lastFourOf(text: string): string {
  return MASK + text.replaceAll(/\D/g, '').slice(-4)
}

function shortened(token: string): string {
  return token.length > TOKEN_SHOWN ? `${token.slice(0, TOKEN_SHOWN)}…` : REMOVED
}

/** Values of query parameters that are named after a security code or a token. */
function maskQuery(target: string): string {
  return target.replaceAll(
    /([?&])([^=&?]*)=([^&]*)/g,
    (parameter: string, mark: string, name: string) =>
      SECURITY_CODE_NAME.test(name) || name === 'token' ? `${mark}${name}=${REMOVED}` : parameter,
  )
}
