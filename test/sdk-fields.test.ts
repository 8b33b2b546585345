// Compares the fields that each SDK sends and reads with the API's document: missing or superfluous
// names, types, and required fields. The classes are read as text: no PHP or Python is needed.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../packages/gateway/src/api/openapi/openapi-document.js'
import { ROOT } from './packed-packages.js'

const read = (...file: string[]): string => readFileSync(path.join(ROOT, ...file), 'utf8')

/** The JSON type of a value. */
type Kind = 'flag' | 'list' | 'number' | 'object' | 'text'

interface Field {
  /** In the document, all allowed kinds; in an SDK, its own kind. */
  readonly kinds: readonly Kind[]
  readonly isRequired: boolean
}
type Fields = ReadonlyMap<string, Field>

// The document.

interface Schema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}
const DOCUMENT = openApiDocument({
  mediaVendor: 'cofre',
  publicUrl: 'https://api.shop.example',
}) as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters: Parameter[] } }>>
}
const KINDS: Readonly<Record<string, Kind | undefined>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'flag',
  array: 'list',
  object: 'object',
}

const typesOf = (schema: Schema): readonly string[] => [
  ...[schema.type ?? []].flat(),
  ...(schema.anyOf ?? []).flatMap(typesOf),
]

const fieldOf = (schema: Schema, isRequired: boolean): Field => ({
  kinds: typesOf(schema).flatMap((type) => KINDS[type] ?? []),
  isRequired: isRequired && !typesOf(schema).includes('null'),
})

/**
 * The schema of an object: `Transaction transaction decline`; a list is its elements, and an object
 * that may be null is the object.
 */
function schemaAt(place: string): Schema {
  const [name = '', ...members] = place.split(' ')
  const root = DOCUMENT.components.schemas[name]
  const found = members.reduce<Schema | undefined>((schema, member) => {
    const next = schema?.properties?.[member]
    const given = next?.anyOf?.find(({ properties }) => properties !== undefined) ?? next
    return given?.items ?? given
  }, root)
  if (found?.properties === undefined) throw new Error(`the document has no object ${place}`)
  return found
}

const documented = (place: string): Fields => {
  const { properties = {}, required = [] } = schemaAt(place)
  return new Map(
    Object.entries(properties).map(([name, one]) => [name, fieldOf(one, required.includes(name))]),
  )
}

const queried = (target: string): Fields =>
  new Map(
    (DOCUMENT.paths[target]?.get?.parameters ?? [])
      .filter((one) => one.in === 'query')
      .map(({ name, schema, required = false }) => [name, fieldOf(schema, required)]),
  )

// Fields that SDKs send.

const kebab = (name: string): string =>
  name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const TEXTS =
  /^(?:str|string|datetime|Date|\\DateTimeInterface|LinkStatus|LinkUsage|TransactionStatus|RefundStatus|PaymentMethodName|PaymentStatus|EventType\b|ItemType|OrderLanguage|Status|Literal\["|'|CreateTransactionRequest\[)/
const NUMBERS = /^(?:Amount|int\b|number|0 \| 1|Literal\[0)/
const FLAGS = /^(?:bool|true|Literal\[True)/
const LISTS = /^(?:array|Sequence|readonly)/

function kindOf(type: string): Kind {
  if (NUMBERS.test(type)) return 'number'
  if (TEXTS.test(type)) return 'text'
  if (FLAGS.test(type)) return 'flag'
  return LISTS.test(type) ? 'list' : 'object'
}

const sent = (name: string, type: string, isRequired: boolean): [string, Field] => [
  kebab(name),
  { kinds: [kindOf(type)], isRequired },
]

const REQUESTS_TS = ts.createSourceFile(
  'request.ts',
  read('packages', 'merchant', 'src', 'request.ts'),
  ts.ScriptTarget.Latest,
  true,
)

/**
 * Members of an interface and of the one that it extends, or of a type's parts; members of
 * alternatives are not required.
 */
function sentByTypeScript(name: string): Fields {
  const fields: [string, Field][] = []
  const collect = (node: ts.Node, isCertain: boolean): void => {
    if (ts.isPropertySignature(node) && node.type !== undefined) {
      const isRequired = isCertain && node.questionToken === undefined
      const member = node.name.getText().replaceAll("'", '')
      fields.push(sent(member, node.type.getText(), isRequired))
      return
    }
    node.forEachChild((child) => {
      collect(child, isCertain && !ts.isUnionTypeNode(node))
    })
  }
  const found = REQUESTS_TS.statements.find(
    (node) =>
      (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
      node.name.text === name,
  )
  if (found === undefined) throw new Error(`request.ts has no ${name}`)
  collect(found, true)
  const bases = ts.isInterfaceDeclaration(found) ? (found.heritageClauses ?? []) : []
  const inherited = bases.flatMap(({ types }) =>
    types.flatMap(({ expression }) => [...sentByTypeScript(expression.getText())]),
  )
  return new Map([...inherited, ...fields])
}

/** The modules of the SDK for Python that have classes of requests, and of responses. */
const PYTHON_FILES = {
  request: ['request', 'payment_query', 'saved_card', 'event'],
  response: ['response', 'payment', 'saved_card', 'event'],
} as const

/** A class's text, and the name of its base. */
function pythonClassOf(kind: keyof typeof PYTHON_FILES, name: string) {
  const text = PYTHON_FILES[kind]
    .map((file) => read('sdks', 'python', 'src', 'cofre_merchant', `${file}.py`))
    .join('\n')
  const [, base, rest] = text.split(new RegExp(`^class ${name}\\b(?:\\((\\w+)\\))?:$`, 'm'))
  if (rest === undefined) throw new Error(`no ${kind} in Python is the class ${name}`)
  return { base, source: rest.split(/^(?:class|@dataclass|def) ?/m)[0] ?? '' }
}

const pythonClass = (kind: keyof typeof PYTHON_FILES, name: string): string =>
  pythonClassOf(kind, name).source

/** True if the field has no default that omits it: then it counts as required. */
const isAlwaysSent = (initial: string | undefined): boolean =>
  initial === undefined || !/^(?:None|null|_OMITTED|Omitted|field\(default=None)/.test(initial)

function sentByPython(name: string): Fields {
  const { base, source } = pythonClassOf('request', name)
  const [members = ''] = source.split(/^ {4}(?:def|@)/m)
  const inherited = base === undefined || base === '_Wired' ? [] : [...sentByPython(base)]
  const own = [...members.matchAll(/^ {4}(\w+): (.+?)(?: = (.+))?$/gm)].map(
    ([, field = '', type = '', initial]) =>
      sent(field, type, isAlwaysSent(initial?.startsWith('field(repr') ? undefined : initial)),
  )
  return new Map([...inherited, ...own])
}

const phpClass = (folder: string, name: string): string =>
  read('sdks', 'php', 'src', folder, `${name}.php`)

function sentByPhp(name: string): Fields {
  const [, made = ''] = /function __construct\(([^]*?)\)\s*\{/.exec(phpClass('Request', name)) ?? []
  const parameter = /(?:public )?([?\w|\\]+) \$(\w+)(?: = ([^,\n]+))?/g
  return new Map(
    [...made.matchAll(parameter)].map(([, type = '', field = '', initial]) =>
      sent(field, PHP_MAPS.get(field) ?? type.replace(/^\?/, ''), isAlwaysSent(initial)),
    ),
  )
}

/** PHP's type of a list is also that of an object with any names. */
const PHP_MAPS: ReadonlyMap<string, string> = new Map([['metadata', 'object']])

/** API names of the fields that an SDK names differently. */
const RENAMED: Readonly<Record<string, string>> = { 'begins-at': 'from' }
/** The SDK derives it from the idempotency key. */
const MADE = new Set(['reference'])

function differences(ours: Fields, theirs: Fields): readonly string[] {
  const sdk = new Map([...ours].map(([name, field]) => [RENAMED[name] ?? name, field]))
  const missing = [...theirs.keys()].filter((name) => !sdk.has(name))
  const wrong = [...sdk].flatMap(([name, { kinds, isRequired }]) => {
    const field = theirs.get(name)
    if (field === undefined) return [`${name} is too many`]
    const isOfType = kinds.some((kind) => field.kinds.includes(kind))
    const isLeftOut = field.isRequired && !isRequired && !MADE.has(name)
    return [
      ...(isOfType ? [] : [`${name} is ${kinds.join()} and not ${field.kinds.join()}`]),
      ...(isLeftOut ? [`${name} may be left out`] : []),
    ]
  })
  return [...missing.map((name) => `${name} is missing`), ...wrong]
}

const SENT = [
  ['AddressRequest', 'Address', documented('TransactionRequest payer address')],
  ['PayerRequest', 'Payer', documented('TransactionRequest payer')],
  ['ShippingRequest', 'Shipping', documented('TransactionRequest shipping')],
  ['CartItemRequest', 'CartItem', documented('TransactionRequest cart')],
  [
    'ThreeDSecureRequest',
    'ThreeDSecure',
    documented('TransactionRequest charge payment-info three-d-secure'),
  ],
  ['CreateRefundRequest', 'CreateRefund', documented('RefundRequest')],
  ['CreatePaymentLinkRequest', 'CreatePaymentLink', documented('PaymentLinkRequest')],
  ['ChangeInterestRequest', 'ChangeInterest', documented('InterestChangeRequest')],
  ['SearchQuery', 'SearchQuery', queried('/transactions')],
  ['PaymentLinkQuery', 'PaymentLinkQuery', queried('/payment-links')],
  ['PaymentQuery', 'PaymentQuery', queried('/payments')],
  ['PaymentSearchRequest', 'PaymentSearch', documented('PaymentSearchRequest')],
  ['RefundQuery', 'RefundQuery', queried('/refunds')],
  ['SaveCardRequest', 'SaveCard', documented('SavedCardRequest')],
  ['CardOwnerRequest', 'CardOwner', documented('SavedCardRequest payer')],
  ['SavedCardSearchRequest', 'SavedCardSearch', documented('SavedCardSearchRequest')],
  ['EventQuery', 'EventQuery', queried('/events')],
  ['CreateEventEndpointRequest', 'CreateEventEndpoint', documented('EventEndpointRequest')],
  ['ChangeEventEndpointRequest', 'ChangeEventEndpoint', documented('EventEndpointChange')],
] as const

describe.each(SENT)('what is sent as %s', (typeScript, name, fields) => {
  it.each([
    ['TypeScript', () => sentByTypeScript(typeScript)],
    ['Python', () => sentByPython(name)],
    ['PHP', () => sentByPhp(name)],
  ] as const)('has the fields of the document in %s', (_, sentBy) => {
    expect(fields.size).toBeGreaterThan(0)
    expect(differences(sentBy(), fields)).toEqual([])
  })
})

// Python and PHP take the amount as an argument.
it('a capture has the fields of the document in TypeScript', () => {
  const ours = sentByTypeScript('CapturePaymentRequest')
  expect(differences(ours, documented('CaptureRequest'))).toEqual([])
})

/** Every name within an object of the document. */
const namesWithin = ({ properties = {}, items }: Schema): readonly string[] => [
  ...Object.entries(properties).flatMap(([name, inner]) => [name, ...namesWithin(inner)]),
  ...(items === undefined ? [] : namesWithin(items)),
]

/** Objects with their own classes, tested above. */
const ELSEWHERE = ['address', 'document', 'shipping', 'cart', 'three-d-secure', 'payer']

it.each([
  ['Python', ['Card', 'Charge', 'CreateTransaction'].map((name) => pythonClass('request', name))],
  ['PHP', ['Card', 'Charge', 'CreateTransaction'].map((name) => phpClass('Request', name))],
] as const)('an order has the fields of the document in %s', (_, classes) => {
  const quoted = classes.join('').matchAll(/(['"])([a-z][a-z-]*)\1(?: =>|:|\])/g)
  const names = new Set([...quoted].map(([, , name]) => name))
  const { properties = {} } = schemaAt('TransactionRequest')
  const own = Object.entries(properties).filter(([name]) => !ELSEWHERE.includes(name))
  const all = own.flatMap(([, schema]) => namesWithin(schema))
  const inner = namesWithin(schemaAt('TransactionRequest charge payment-info three-d-secure'))
  const wanted = new Set(all.filter((name) => !inner.includes(name)))
  expect([...wanted].filter((name) => !names.has(name))).toEqual([])
})

// Fields that SDKs read.

/** The kind that each reader requires of a member. */
const READERS: Readonly<Record<string, readonly [Kind, 'optional'?]>> = {
  text: ['text'],
  identifier: ['text'],
  whole: ['number'],
  number: ['number'],
  flag: ['flag'],
  date: ['text'],
  object: ['object'],
  elements: ['list'],
  list: ['list'],
  day: ['text'],
  nullableText: ['text', 'optional'],
  optionalText: ['text', 'optional'],
  optionalDate: ['text', 'optional'],
  optionalDay: ['text', 'optional'],
  optionalWhole: ['number', 'optional'],
  optionalNumber: ['number', 'optional'],
  optionalAmount: ['number', 'optional'],
  optionalFlag: ['flag', 'optional'],
  optionalObject: ['object', 'optional'],
  optionalTexts: ['object', 'optional'],
  optionalTextList: ['list', 'optional'],
}

/** Python's reader of that name reads a text, PHP's a number. */
const AMOUNTS = { Python: ['text'], PHP: ['number'] } as const
type Language = keyof typeof AMOUNTS

/** Calls of readers: `wire.text("code")`, `lenient($wire->text(...), 'code')`. */
const READ = /(\w+)(?:\.|->)(\w+)\((['"])([\w-]+)\3/g
const LENIENT = /lenient\(\$?(\w+)(?:\.|->)(\w+)(?:\(\.\.\.\))?, (['"])([\w-]+)\3\)/g
const WRAPPED = /lenient\([^\n]*?[ $(](\w+)(?:\.|->)(\w+)\(\$?name\b[^\n]*?, (['"])([\w-]+)\3\)/g

function readBy(source: string, language: Language, places: Readonly<Record<string, string>>) {
  const found = (pattern: RegExp, isLenient: boolean) =>
    [...source.matchAll(pattern)].flatMap(([, variable = '', reader = '', , name = '']) => {
      const place = places[variable]
      const camel = reader.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      const [kind, optional] = camel === 'amount' ? AMOUNTS[language] : (READERS[camel] ?? [])
      if (place === undefined || kind === undefined) return []
      return [{ place, name, kind, isRequired: optional === undefined && !isLenient }]
    })
  return [...found(READ, false), ...found(LENIENT, true), ...found(WRAPPED, true)]
}

/** Settings of a link that an SDK's class omits: the shop itself sent them. */
const SETTINGS_OF_A_LINK = [
  'currency',
  'methods',
  'installments',
  'language',
  'success-url',
  'notification-url',
  'metadata',
]
/** Fields of each payment in a list, which `PaymentSummary` reads. */
const SUMMARY = [...documented('PaymentList payments').keys()]
const RECEIVED = [
  { name: 'Decline', places: { wire: 'Transaction transaction decline' } },
  {
    name: 'PaymentMethod',
    places: {
      wire: 'Transaction payment-methods',
      card: 'Transaction payment-methods credit-card',
    },
  },
  {
    name: 'CreatedTransaction',
    places: { body: 'Transaction', wire: 'Transaction transaction' },
    // Always BRL and BR.
    leftOut: ['currency', 'country'],
  },
  {
    name: 'Refund',
    places: { wire: 'SearchResult transaction-result transactions refunds' },
    leftOut: ['refund-origin', 'refund-earliest-date'],
  },
  {
    name: 'FoundTransaction',
    places: { wire: 'SearchResult transaction-result transactions' },
    leftOut: [
      'currency',
      'customer-country',
      'payment-country',
      'notify-url',
      'refunded-amount',
      'chargeback-date',
      'cancellation-reason',
    ],
  },
  {
    name: 'SearchPage',
    places: { body: 'SearchResult', metadata: 'SearchResult metadata' },
    leftOut: ['page-results'],
  },
  { name: 'PaymentLinkTry', places: { wire: 'PaymentLinkWithTries payment-link tries' } },
  {
    name: 'PaymentLink',
    places: { body: 'PaymentLinkWithTries', wire: 'PaymentLinkWithTries payment-link' },
    leftOut: SETTINGS_OF_A_LINK,
  },
  {
    name: 'PaymentLinkPage',
    places: { body: 'PaymentLinkList', metadata: 'PaymentLinkList metadata' },
    leftOut: ['page-results'],
  },
  // Always BRL.
  { name: 'PaymentSummary', places: { wire: 'PaymentList payments' }, leftOut: ['currency'] },
  { name: 'SavedCard', places: { wire: 'SavedCardList saved-cards' } },
  { name: 'SavedCardPage', places: { body: 'SavedCardList' } },
  { name: 'CheckedCard', places: { body: 'SavedCardCheck' } },
  { name: 'Event', places: { body: 'Event', wire: 'Event event' } },
  { name: 'EventPage', places: { body: 'EventList' } },
  { name: 'EventData', places: { wire: 'Event event data' } },
  // Always BRL.
  {
    name: 'EventPayment',
    places: { wire: 'Event event data payment' },
    leftOut: ['currency'],
  },
  { name: 'EventDelivery', places: { wire: 'Event event deliveries' } },
  {
    name: 'EventEndpoint',
    places: { body: 'EventEndpoint', wire: 'EventEndpoint event-endpoint' },
  },
  { name: 'EventEndpointWithSecret', places: { body: 'EventEndpointWithSecret' } },
  { name: 'PaymentPage', places: { body: 'PaymentList' } },
  { name: 'Payment', places: { body: 'Payment', wire: 'Payment payment' }, leftOut: SUMMARY },
  { name: 'PaymentPayer', places: { wire: 'Payment payment payer' } },
  { name: 'PaymentCard', places: { wire: 'Payment payment card' } },
  { name: 'PaymentAcquirer', places: { wire: 'Payment payment card acquirer' } },
  { name: 'PaymentAccount', places: { wire: 'Payment payment card acquirer account' } },
  { name: 'BankCharge', places: { wire: 'Payment payment bank-charge' } },
  { name: 'BankPayment', places: { wire: 'Payment payment bank-charge payments' } },
  { name: 'RefundSummary', places: { wire: 'RefundList refunds' } },
  { name: 'RefundPage', places: { body: 'RefundList' } },
  { name: 'PaymentNotification', places: { wire: 'Payment payment notifications' } },
  { name: 'PaymentDispute', places: { wire: 'Payment payment disputes' } },
  { name: 'PaymentSettlement', places: { wire: 'Payment payment settlements' } },
  { name: 'Capture', places: { body: 'Capture' } },
  { name: 'Cancellation', places: { body: 'Cancellation' } },
  { name: 'InterestTerms', places: { wire: 'Interest interest usual' } },
  {
    name: 'InterestChange',
    places: { wire: 'Interest interest changes' },
    // `InterestTerms` reads them.
    leftOut: ['monthly-rate-percent', 'interest-free'],
  },
  { name: 'Interest', places: { body: 'Interest', wire: 'Interest interest' } },
  {
    name: 'Bin',
    places: { body: 'BinLookup', wire: 'BinLookup bin' },
    leftOut: ['validationAlgorithm'],
  },
  { name: 'Installment', places: { wire: 'InstallmentsLookup installments' } },
  // `Bin` reads its own fields.
  { name: 'CardLookup', places: { body: 'CardLookup' }, leftOut: ['bin'] },
]

describe.each(RECEIVED)('what is read as $name', ({ name, places, leftOut = [] }) => {
  it.each([
    ['Python', () => pythonClass('response', name)],
    ['PHP', () => phpClass('Response', name)],
  ] as const)('is what the document promises, in %s', (language, sourceOf) => {
    const members = readBy(sourceOf(), language, places)
    for (const place of Object.values(places)) {
      const fields = documented(place)
      const ours = members.filter((member) => member.place === place)
      const names = ours.map((member) => member.name)
      const wrong = ours.filter(({ name: one, kind, isRequired }) => {
        const field = fields.get(one)
        return !field?.kinds.includes(kind) || (isRequired && !field.isRequired)
      })
      expect(wrong, place).toEqual([])
      expect(
        [...fields.keys()].filter((one) => !names.includes(one) && !leftOut.includes(one)),
        place,
      ).toEqual([])
      expect(
        leftOut.filter((one) => names.includes(one)),
        place,
      ).toEqual([])
    }
  })
})
