import {
  type Transaction,
  accountOf,
  boletoOf,
  cardOf,
  metadataOf,
  isPayerErased,
  payerNameOf,
  paymentStatusOf,
} from '@cofre/gateway/room'
import { type Metadata, asciiSpelling, beginningOf, CARD_TYPE } from '@cofre/contracts'

/** The kinds of terms that find a payment. */
export const TERM_KINDS = [
  'status',
  'method',
  'brand',
  'account',
  'amount',
  'charged',
  'last-four',
  'document',
  'email',
  'name',
  'reference',
  'provider',
  'line',
  'metadata',
  'metadata-value',
] as const
export type TermKind = (typeof TERM_KINDS)[number]

/** The kinds that identify the payer: deleted once the payer's data is erased. */
export const PAYER_TERMS: readonly TermKind[] = [
  'document',
  'email',
  'name',
  'line',
  'metadata',
  'metadata-value',
]

/** A word that finds a payment. */
export interface PaymentTerm {
  readonly kind: TermKind
  readonly term: string
}

const AMOUNT_DIGITS = 12
const NAME_WORD = /\p{L}{2,}/gu
const REFERENCE_PART = /[a-z0-9]{3,}/g

/** Every term that finds a payment, each once. */
export function paymentTerms(transaction: Transaction): readonly PaymentTerm[] {
  const { amountMinor, chargedMinor, cardLastFour, reference } = transaction
  const terms: Record<TermKind, readonly (string | undefined)[]> = {
    ...filterTerms(transaction),
    amount: [amountTerm(amountMinor)],
    charged: [chargedMinor === amountMinor ? undefined : amountTerm(chargedMinor)],
    'last-four': [cardLastFour],
    document: [],
    email: [],
    name: [],
    reference: [referenceTerm(reference), ...referenceParts(reference)],
    provider: providerTerms(transaction),
    line: [],
    metadata: [],
    'metadata-value': [],
    ...(!isPayerErased(transaction) && {
      document: [transaction.payerDocument],
      email: [emailTerm(transaction.payerEmail)],
      name: nameTerms(payerNameOf(transaction)),
      line: [boletoOf(transaction)?.barcode],
      ...metadataTerms(metadataOf(transaction)),
    }),
  }
  return TERM_KINDS.flatMap((kind) =>
    [...new Set(terms[kind])].flatMap((term) =>
      term === undefined || term === '' ? [] : [{ kind, term }],
    ),
  )
}

/** The terms for the filters of lists. */
export function filterTerms(transaction: Transaction) {
  const { paymentType, subType } = transaction
  return {
    status: [paymentStatusOf(transaction)],
    method: [paymentType],
    brand: [paymentType === CARD_TYPE ? subType : undefined],
    account: [accountOf(transaction)],
  } as const satisfies Partial<Record<TermKind, readonly (string | undefined)[]>>
}

function providerTerms(transaction: Transaction): readonly (string | undefined)[] {
  const { paymentId, nsu, authorizationCode } = cardOf(transaction)?.charge ?? {}
  return [paymentId, nsu, authorizationCode].map((id) => id?.toLowerCase())
}

/** A number of fixed length, which sorts like the amounts in any locale. */
export function amountTerm(amountMinor: number): string {
  return String(amountMinor).padStart(AMOUNT_DIGITS, '0')
}

export function emailTerm(email: string): string {
  return email.toLowerCase()
}

/** The terms of a name: its words, and `D'Ávila` also as one word. */
function nameTerms(name: string): readonly string[] {
  return nameReadings(name).flat()
}

/** The words of a search for a name: `D'Áv` means `av` or `dav`. */
export function nameReadings(text: string): readonly (readonly string[])[] {
  const plain = plainName(text)
  const readings = [plain, plain.replaceAll("'", '')].map((one) => one.match(NAME_WORD) ?? [])
  return [...new Map(readings.map((words) => [words.join(' '), words])).values()]
}

/** In lower-case ASCII, as far as it can be spelled so. */
function plainName(name: string): string {
  return asciiSpelling(name).toLowerCase()
}

export function referenceTerm(reference: string): string {
  return reference.toLowerCase()
}

function referenceParts(reference: string): readonly string[] {
  return referenceTerm(reference).match(REFERENCE_PART) ?? []
}

/** Longer than any text of the search box. An index entry has room for it in any alphabet. */
const METADATA_TERM_LENGTH_MAX = 160

function metadataTerms(metadata: Metadata) {
  const entries = Object.entries(metadata)
  return {
    metadata: entries.map(([key, value]) => metadataTerm(key, value)),
    'metadata-value': entries.map(([, value]) => metadataValueTerm(value)),
  }
}

/** A key with its value. Of a long value, only the beginning finds the payment. */
export function metadataTerm(key: string, value: string): string {
  return beginningOf(pairOf(key, value), METADATA_TERM_LENGTH_MAX)
}

export function metadataValueTerm(value: string): string {
  return beginningOf(comparedValue(value), METADATA_TERM_LENGTH_MAX)
}

/** True if a payment has all these keys with these values, in any case of their letters. */
export function hasMetadata(of: Metadata, wanted: Metadata): boolean {
  const pairs = new Set(Object.entries(of).map(([key, value]) => pairOf(key, value)))
  return Object.entries(wanted).every(([key, value]) => pairs.has(pairOf(key, value)))
}

function pairOf(key: string, value: string): string {
  return `${key.toLowerCase()}=${comparedValue(value)}`
}

function comparedValue(value: string): string {
  return value.trim().normalize('NFC').toLowerCase()
}
