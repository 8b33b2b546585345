import {
  REFERENCE,
  TRANSACTION_CODE,
  asciiSpelling,
  holdsCardNumber,
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
  nameReadings,
  referenceTerm,
} from './payment-terms.js'

/** What a text may be the name of, past the index. */
export interface PaymentNames {
  /** Of a transaction or of a refund. */
  readonly code?: number
  /** As the store wrote it. */
  readonly reference?: string
  readonly endToEndId?: string
  readonly txid?: string
  /** A bank's number of a boleto, *nosso número*, as it is kept. */
  readonly ourNumber?: string
}

/** What somebody typed, and what it may mean: a payment is found by any of the lookups. */
export type SearchText =
  | { readonly kind: 'nothing' }
  /** It is not searched, and not repeated. */
  | { readonly kind: 'card-number' }
  | {
      readonly kind: 'lookups'
      readonly names: PaymentNames
      /** A payment has all terms of one of them; of a name, words that begin with the terms. */
      readonly lookups: readonly (readonly PaymentTerm[])[]
    }

/** Longer than anything that a payment has. */
const TEXT_LENGTH_MAX = 120
const END_TO_END_ID = /^E\d{20}[A-Za-z0-9]{11}$/
/** Of a PIX, or our name of a boleto. */
const TXID = /^(?:[A-Za-z0-9]{26,35}|[A-Z2-7]{15})$/
/** As slips print it, with its check digit. */
const OUR_NUMBER = /^\d{1,20}-?[\dP]$/
const LINE_PUNCTUATION = /[\s.-]/g
const DOCUMENT_PUNCTUATION = /[\s./-]/g
const AMOUNT =
  /^(?<currency>R\$\s*)?(?<whole>\d{1,3}(?:\.\d{3})+|\d{1,10})(?:[.,](?<cents>\d{2}))?$/
const LAST_FOUR = /^\d{4}$/

/**
 * Recognises what was typed into the one box.
 * @param documents - `not-searched`: a document finds nothing, also where a store calls an order by
 *   one. Our own code, which may look like one, stays.
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
    ].filter((terms) => terms.length > 0),
  }
}

function wordsOfName(words: readonly string[]): readonly PaymentTerm[] {
  return words.map((word) => only('name', word))
}

/** Letters, and the signs that a payer's name may hold between them. */
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

/** The barcode of a boleto, of which people type the 47 digits of the line. */
function barcodeIn(text: string): string | undefined {
  const digits = text.replaceAll(LINE_PUNCTUATION, '')
  if (/^\d{44}$/.test(digits)) return digits
  return /^\d{47}$/.test(digits) ? barcodeOfLine(digits) : undefined
}

/** A number is an amount where it has centavos or names the currency. */
function amountIn(text: string): string | undefined {
  const { currency, whole, cents } = AMOUNT.exec(text)?.groups ?? {}
  if (whole === undefined || (currency === undefined && cents === undefined)) return undefined
  const amountMinor = parseAmount(`${whole.replaceAll('.', '')}.${cents ?? '00'}`)
  return amountMinor === undefined ? undefined : amountTerm(amountMinor)
}
