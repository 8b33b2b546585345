import { createHash } from 'node:crypto'
import { maskCardNumbers, ownValue, parseDecimal } from '@cofre/contracts'

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
      // Added later: orders without it, or with true, have the same digests as before.
      'charge[].payment-info.capture',
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
/** True counts as absent. */
const TRUE_UNLESS_SENT = 'charge[].payment-info.capture'
/** A reference is stored unmasked, and distinguishes orders. */
const UNMASKED = 'transaction.reference'
const COMPILED: ReadonlyMap<string, readonly Siblings[]> = new Map(
  Array.from(FIELDS, ([version, patterns]) => [version, siblingsOf(patterns)]),
)
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
  const values: Compared[] = []
  for (const { parent, fields } of COMPILED.get(version) ?? []) {
    const parents = nodesAt({ json, path: '' }, parent)
    for (const field of fields)
      for (const place of parents) {
        const compared = comparedValue(ownValue(place.json, field.name), field)
        if (compared !== undefined) values.push([`${place.path}.${field.name}`, compared])
      }
  }
  const digest = createHash('sha256').update(JSON.stringify(values)).digest('base64url')
  return `${version}.${digest}`
}

/** Fields that follow each other in a version and have the same parent. */
interface Siblings {
  readonly parent: readonly Step[]
  readonly fields: readonly Field[]
}

interface Step {
  readonly name: string
  readonly isList: boolean
}

interface Field {
  readonly name: string
  readonly isNumber: boolean
  readonly isMasked: boolean
  readonly isTrueUnlessSent: boolean
}

function siblingsOf(patterns: readonly string[]): readonly Siblings[] {
  const groups: { path: string; parent: readonly Step[]; fields: Field[] }[] = []
  for (const pattern of patterns) {
    const end = pattern.lastIndexOf('.')
    const path = pattern.slice(0, end)
    const field = {
      name: pattern.slice(end + 1),
      isNumber: NUMBERS.includes(pattern),
      isMasked: pattern !== UNMASKED,
      isTrueUnlessSent: pattern === TRUE_UNLESS_SENT,
    }
    const last = groups.at(-1)
    if (last?.path === path) last.fields.push(field)
    else groups.push({ path, parent: path.split('.').map(stepOf), fields: [field] })
  }
  return groups
}

function stepOf(step: string): Step {
  return { name: step.replace('[]', ''), isList: step.endsWith('[]') }
}

type Compared = readonly [path: string, value: string | boolean]

interface JsonNode {
  readonly json: unknown
  readonly path: string
}

/** The places to which these steps lead, in the order of the lists. */
function nodesAt(place: JsonNode, [step, ...rest]: readonly Step[]): readonly JsonNode[] {
  if (step === undefined) return [place]
  const json = ownValue(place.json, step.name)
  const path = `${place.path}.${step.name}`
  if (!step.isList) return nodesAt({ json, path }, rest)
  if (!Array.isArray(json)) return []
  return json
    .slice(0, ELEMENTS_MAX)
    .flatMap((element, index) => nodesAt({ json: element, path: `${path}[${index}]` }, rest))
}

const DECIMAL = /^-?(?:0|[1-9]\d*)\.\d+$/

/** A number becomes the text of its digits; a value that counts as absent becomes undefined. */
function comparedValue(
  value: unknown,
  { isNumber, isMasked, isTrueUnlessSent }: Field,
): string | boolean | undefined {
  if (typeof value === 'boolean') return isTrueUnlessSent && value ? undefined : value
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (value === '') return undefined
  const text = isNumber ? plainNumber(String(value)) : String(value)
  if (!isMasked) return text
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
