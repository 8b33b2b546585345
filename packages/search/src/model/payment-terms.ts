import {
  type Transaction,
  accountOf,
  boletoOf,
  cardOf,
  isPayerErased,
  payerNameOf,
} from '@cofre/gateway/room'
import { asciiSpelling, CARD_TYPE } from '@cofre/contracts'

/** What a payment can be found by. */
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
] as const
export type TermKind = (typeof TERM_KINDS)[number]

/** Those that say who the payer is: gone once the payer's data is erased. */
export const PAYER_TERMS: readonly TermKind[] = ['document', 'email', 'name', 'line']

/** A word that finds a payment. */
export interface PaymentTerm {
  readonly kind: TermKind
  readonly term: string
}

const AMOUNT_DIGITS = 12
const NAME_WORD = /\p{L}{2,}/gu
const REFERENCE_PART = /[a-z0-9]{3,}/g

/** Everything that finds a payment, each once. */
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
    ...(!isPayerErased(transaction) && {
      document: [transaction.payerDocument],
      email: [emailTerm(transaction.payerEmail)],
      name: nameTerms(payerNameOf(transaction)),
      line: [boletoOf(transaction)?.barcode],
    }),
  }
  return TERM_KINDS.flatMap((kind) =>
    [...new Set(terms[kind])].flatMap((term) =>
      term === undefined || term === '' ? [] : [{ kind, term }],
    ),
  )
}

/** What lists are filtered by. */
export function filterTerms(transaction: Transaction) {
  const { status, paymentType, subType } = transaction
  return {
    status: [status],
    method: [paymentType],
    brand: [paymentType === CARD_TYPE ? subType : undefined],
    account: [accountOf(transaction)],
  } as const satisfies Partial<Record<TermKind, readonly (string | undefined)[]>>
}

function providerTerms(transaction: Transaction): readonly (string | undefined)[] {
  const { paymentId, nsu, authorizationCode } = cardOf(transaction)?.charge ?? {}
  return [paymentId, nsu, authorizationCode].map((id) => id?.toLowerCase())
}

/** As a number of fixed length: in the order of the amounts, in any locale. */
export function amountTerm(amountMinor: number): string {
  return String(amountMinor).padStart(AMOUNT_DIGITS, '0')
}

export function emailTerm(email: string): string {
  return email.toLowerCase()
}

/** What finds a name: its words, and those of `D'Ávila` also as one. */
function nameTerms(name: string): readonly string[] {
  return nameReadings(name).flat()
}

/** The words of what is looked for among names: `D'Áv` means `av` or `dav`. */
export function nameReadings(text: string): readonly (readonly string[])[] {
  const plain = plainName(text)
  const readings = [plain, plain.replaceAll("'", '')].map((one) => one.match(NAME_WORD) ?? [])
  return [...new Map(readings.map((words) => [words.join(' '), words])).values()]
}

/** In small letters of ASCII, as far as they are spelled there. */
function plainName(name: string): string {
  return asciiSpelling(name).toLowerCase()
}

export function referenceTerm(reference: string): string {
  return reference.toLowerCase()
}

function referenceParts(reference: string): readonly string[] {
  return referenceTerm(reference).match(REFERENCE_PART) ?? []
}
