import { createHash } from 'node:crypto'
import { maskCardNumbers, parseDecimal } from '@cofre/contracts'

/**
 * The fields by which orders are compared, for each version of fingerprints. A version never
 * changes, because rows have it for years. A new field of orders needs a new version, or is not
 * compared: `metadata` changes neither amount nor payer, and a store whose retry is refused may
 * charge the payer again with another reference.
 */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '1',
    [
      ...[
        'reference',
        'project-number',
        'country',
        'currency',
        'checkout-type',
        'notification-url',
        'language',
        'gifting',
        'redirect-urls.success',
        'redirect-urls.fail',
      ].map((name) => `transaction.${name}`),
      'charge[].amount',
      'charge[].currency',
      'charge[].payment-method.type',
      'charge[].payment-method.sub-type',
      // No token, code, card, security code or 3-D Secure result: with another one it is the same
      // order.
      'charge[].payment-info.installments',
      'charge[].payment-info.save',
      ...[
        'name',
        'email',
        'birth-date',
        'phone-number',
        'document.type',
        'document.number',
        'ip',
      ].map((name) => `payer.${name}`),
      'shipping.cost',
      ...['payer', 'shipping'].flatMap((of) =>
        ['street', 'number', 'complement', 'district', 'state', 'city', 'country', 'zip-code'].map(
          (name) => `${of}.address.${name}`,
        ),
      ),
      ...['quantity', 'description', 'unit-price', 'type', 'category'].map(
        (name) => `cart[].${name}`,
      ),
    ],
  ],
])

const NEWEST = '1'
/** Read as numbers, because their text may begin with zeros or have an exponent. */
const NUMBERS: readonly string[] = [
  'charge[].amount',
  'charge[].payment-info.installments',
  'shipping.cost',
  'cart[].quantity',
  'cart[].unit-price',
]
/** A reference is stored unmasked, and distinguishes orders. */
const UNMASKED = 'transaction.reference'
/** More elements than a valid body can hold. */
const ELEMENTS_MAX = 5000

/** The fields that the newest version covers. */
export function fingerprintedFields(): readonly string[] {
  return FIELDS.get(NEWEST) ?? []
}

/** A digest of the order in a received body. It covers no card. */
export function orderFingerprint(json: unknown): string {
  return digestOf(json, NEWEST)
}

/**
 * True if a received body is for the order of a fingerprint, which an older release may have made.
 * Undefined for a newer release's version.
 */
export function isOrderOf(json: unknown, fingerprint: string): boolean | undefined {
  const [version = ''] = fingerprint.split('.')
  return FIELDS.has(version) ? digestOf(json, version) === fingerprint : undefined
}

function digestOf(json: unknown, version: string): string {
  const values = (FIELDS.get(version) ?? []).flatMap((pattern) =>
    valuesAt(json, pattern.split('.'), '').flatMap(([path, value]) => {
      const compared = comparedValue(value, pattern)
      return compared === undefined ? [] : [[path, compared]]
    }),
  )
  const digest = createHash('sha256').update(JSON.stringify(values)).digest('base64url')
  return `${version}.${digest}`
}

type Found = readonly [path: string, value: unknown]

function valuesAt(json: unknown, [step, ...steps]: readonly string[], path: string): Found[] {
  if (step === undefined) return [[path, json]]
  const name = step.replace('[]', '')
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return []
  const value = (json as Readonly<Record<string, unknown>>)[name]
  const at = `${path}.${name}`
  if (name === step) return valuesAt(value, steps, at)
  if (!Array.isArray(value)) return []
  return value
    .slice(0, ELEMENTS_MAX)
    .flatMap((element, index) => valuesAt(element, steps, `${at}[${index}]`))
}

const DECIMAL = /^-?(?:0|[1-9]\d*)\.\d+$/

/** A number becomes the text of its digits; a value that counts as absent becomes undefined. */
function comparedValue(value: unknown, pattern: string): string | boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (value === '') return undefined
  const text = NUMBERS.includes(pattern) ? plainNumber(String(value)) : String(value)
  if (pattern === UNMASKED) return text
  return maskCardNumbers(DECIMAL.test(text) ? withoutEndingZeros(text) : text)
}

/** A number's decimal digits; other text unchanged. */
function plainNumber(text: string): string {
  const decimal = parseDecimal(text)
  if (decimal === undefined) return text
  const { scale } = decimal
  const digits = String(decimal.digits).padStart(scale + 1, '0')
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

function withoutEndingZeros(decimal: string): string {
  let end = decimal.length
  while (decimal[end - 1] === '0') end--
  return decimal.slice(0, decimal[end - 1] === '.' ? end - 1 : end)
}
