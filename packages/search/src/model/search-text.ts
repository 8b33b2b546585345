import {
  REFERENCE,
  TRANSACTION_CODE,
  asciiSpelling,
  holdsCardNumber,
  isMetadataKey,
  isCnpj,
  isCpf,
  parseAmount,
} from '@cofre/contracts'
import { bareNumber, barcodeOfLine } from '@cofre/provider-kit/bank'
import type { PaymentQuery } from './payment-query.js'
import {
  type PaymentTerm,
  type TermKind,
  amountTerm,
  emailTerm,
  metadataTerm,
  metadataValueTerm,
  nameReadings,
  referenceTerm,
} from './payment-terms.js'

/** Names of payments that a text may be, looked up without the index. */
export interface PaymentNames {
  /** A transaction's or a refund's. */
  readonly code?: number
  /** As the store wrote it. */
  readonly reference?: string
  readonly endToEndId?: string
  readonly txid?: string
  /** A bank's number of a boleto, *nosso número*, in its stored form. */
  readonly ourNumber?: string
}

/** A typed text, and its possible meanings: a payment matches any of the lookups. */
export type SearchText =
  | { readonly kind: 'nothing' }
  /** It is neither searched nor repeated. */
  | { readonly kind: 'card-number' }
  | {
      readonly kind: 'lookups'
      readonly names: PaymentNames
      /** A payment matches a lookup by all its terms; a name's words may also begin with a term. */
      readonly lookups: readonly (readonly PaymentTerm[])[]
    }

/** Longer than any value of a payment. */
const TEXT_LENGTH_MAX = 120
const END_TO_END_ID = /^E\d{20}[A-Za-z0-9]{11}$/
/** A PIX's, or our name of a boleto. */
const TXID = /^(?:[A-Za-z0-9]{26,35}|[A-Z2-7]{15})$/
/** As printed on slips, with its check digit. */
const OUR_NUMBER = /^\d{1,20}-?[\dP]$/
const LINE_PUNCTUATION = /[\s.-]/g
const DOCUMENT_PUNCTUATION = /[\s./-]/g
const AMOUNT =
  /^(?<currency>R\$\s*)?(?<whole>\d{1,3}(?:\.\d{3})+|\d{1,10})(?:[.,](?<cents>\d{2}))?$/
const LAST_FOUR = /^\d{4}$/

/**
 * Recognizes the text of the search box.
 * @param documents - `not-searched`: a document finds nothing, even if it is a store's order
 * reference. Our own code, which may look like one, still does.
 */
export function readSearchText(typed: string, documents?: PaymentQuery['documents']): SearchText {
  const text = typed.replaceAll('\0', '').trim().normalize('NFC')
  if (text === '') return { kind: 'nothing' }
  if (text.length > TEXT_LENGTH_MAX) return { kind: 'lookups', names: {}, lookups: [] }
  if (END_TO_END_ID.test(text)) return { kind: 'lookups', names: { endToEndId: text }, lookups: [] }
  const line = barcodeIn(text)
  if (line !== undefined) return { kind: 'lookups', names: {}, lookups: [[only('line', line)]] }
  const document = documentIn(text)
  if (document === undefined && holdsCardNumber(text)) return { kind: 'card-number' }
  if (document !== undefined && documents === 'not-searched') {
    const { code } = namesIn(text)
    return { kind: 'lookups', names: code === undefined ? {} : { code }, lookups: [] }
  }
  const pair = pairIn(text)
  if (pair !== undefined) {
    const isHidden = documents === 'not-searched' && documentIn(pair.value) !== undefined
    const found = [[only('metadata', metadataTerm(pair.key, pair.value))], ...valueLookups(text)]
    return { kind: 'lookups', names: {}, lookups: isHidden ? [] : found }
  }
  if (text.includes('@')) {
    const lookups = [[only('email', emailTerm(text))]]
    return { kind: 'lookups', names: {}, lookups }
  }
  const amount = amountIn(text)
  if (amount !== undefined) {
    const lookups = [[only('amount', amount)], [only('charged', amount)]]
    return { kind: 'lookups', names: namesIn(text), lookups }
  }
  return {
    kind: 'lookups',
    names: namesIn(text),
    lookups: [
      ...(document === undefined ? [] : [[only('document', document)]]),
      ...(isOfName(text) ? nameReadings(text).map(wordsOfName) : []),
      ...(LAST_FOUR.test(text) ? [[only('last-four', text)]] : []),
      ...(REFERENCE.test(text) ? [[only('reference', referenceTerm(text))]] : []),
      ...(/\s/.test(text) ? [] : [[only('provider', text.toLowerCase())]]),
      ...valueLookups(text),
    ].filter((terms) => terms.length > 0),
  }
}

/** A key of a store's metadata with its value: `channel=app`. */
function pairIn(text: string): { readonly key: string; readonly value: string } | undefined {
  const end = text.indexOf('=')
  const key = text.slice(0, Math.max(end, 0))
  const value = text.slice(end + 1).trim()
  return isMetadataKey(key) && value !== '' ? { key, value } : undefined
}

/** One word may be a whole value of a store's metadata. */
function valueLookups(text: string): readonly (readonly PaymentTerm[])[] {
  return /\s/.test(text) ? [] : [[only('metadata-value', metadataValueTerm(text))]]
}

function wordsOfName(words: readonly string[]): readonly PaymentTerm[] {
  return words.map((word) => only('name', word))
}

/** True for letters, and for the signs between them in a payer's name. */
function isOfName(text: string): boolean {
  return /^[\s,.&/'-]*$/.test(asciiSpelling(text.replaceAll(/[\p{L}\p{M}]/gu, '')))
}

function only(kind: TermKind, term: string): PaymentTerm {
  return { kind, term }
}

function namesIn(text: string): PaymentNames {
  const ourNumber = OUR_NUMBER.test(text) ? bareNumber(text.replace('-', '')) : undefined
  return {
    ...(TRANSACTION_CODE.test(text) && { code: Number(text) }),
    ...(REFERENCE.test(text) && { reference: text }),
    ...(TXID.test(text) && { txid: text }),
    ...(ourNumber !== undefined && { ourNumber }),
  }
}

function documentIn(text: string): string | undefined {
  const bare = text.replaceAll(DOCUMENT_PUNCTUATION, '')
  return isCpf(bare) || isCnpj(bare) ? bare.toUpperCase() : undefined
}

/** The barcode of a boleto; people type the 47 digits of its line. */
function barcodeIn(text: string): string | undefined {
  const digits = text.replaceAll(LINE_PUNCTUATION, '')
  if (/^\d{44}$/.test(digits)) return digits
  return /^\d{47}$/.test(digits) ? barcodeOfLine(digits) : undefined
}

/** A number with centavos or a currency is an amount. */
function amountIn(text: string): string | undefined {
  const { currency, whole, cents } = AMOUNT.exec(text)?.groups ?? {}
  if (whole === undefined || (currency === undefined && cents === undefined)) return undefined
  const amountMinor = parseAmount(`${whole.replaceAll('.', '')}.${cents ?? '00'}`)
  return amountMinor === undefined ? undefined : amountTerm(amountMinor)
}
