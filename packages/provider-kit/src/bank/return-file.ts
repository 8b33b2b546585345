// What a bank has written into a return file (CNAB), whatever its layout.

/** What became of a title, or what was taken for it. */
export const RETURN_LINE_KINDS = [
  /** The bank has it, and it can be paid. */
  'registered',
  /** The bank did not take it: it does not exist there. */
  'rejected',
  'paid',
  /** It can be paid no more: by order, by its age, or since it was protested. */
  'written-off',
  /** Nothing but what the bank takes. */
  'fee',
  /** On its way to a notary, there, or back. */
  'protest',
  /** Its date, amount or data are others. */
  'changed',
  /** An order about a title that exists was not carried out. */
  'order-refused',
  /** A payment that was taken back. */
  'reversed',
  /** What else a bank reports: its code says what. */
  'other',
] as const
export type ReturnLineKind = (typeof RETURN_LINE_KINDS)[number]

/** One title's occurrence. Amounts in centavos; days as `YYYY-MM-DD`. */
export interface ReturnLine {
  /** Where it begins in the file, from 1. */
  readonly line: number
  readonly kind: ReturnLineKind
  /** The bank's own code of the occurrence; `record 5` or `segment Q` of one that is not read. */
  readonly code: string
  /** The bank's own codes of why; of Inter, a text. */
  readonly reasons: readonly string[]
  /** `nosso número`, as it stands there: of a bank that is told by files, with its check digit. */
  readonly ourNumber: string | undefined
  /** What the store called it: what it may use as it likes, then the number of its document. */
  readonly ourNames: readonly string[]
  readonly titleMinor: number
  /** What the payer paid: the bank's fee included, where the bank keeps it back. */
  readonly paidMinor: number
  readonly interestMinor: number
  readonly discountMinor: number
  readonly feeMinor: number
  /** What the bank pays out of it, where the file says so. */
  readonly creditMinor: number | undefined
  readonly occurredOn: string | undefined
  readonly creditedOn: string | undefined
  readonly dueOn: string | undefined
  /** Where it was registered, or paid, with PIX. */
  readonly pixTxid: string | undefined
}

/** Who the file is for. Numbers as they stand there. */
export interface ReturnHeader {
  readonly agency: string | undefined
  readonly account: string | undefined
  /** The store's number at the bank: `convênio`, or code of the beneficiary. */
  readonly agreement: string | undefined
  readonly fileNumber: number | undefined
  readonly writtenOn: string | undefined
}

export interface ReturnFile {
  readonly layout: 240 | 400
  /** Three digits. */
  readonly bank: string
  readonly header: ReturnHeader
  readonly lines: readonly ReturnLine[]
  /** Totals that the file states of itself, all of which hold. */
  readonly heldTotals: readonly HeldTotal[]
}

export interface HeldTotal {
  readonly of: ReturnTotal
  readonly value: number
}

export type ReturnTotal =
  | 'lots'
  | 'records'
  | 'records of the lot'
  | 'titles'
  | 'value of the titles'
  | 'entries'
  | 'value of the entries'
  | 'payments'
  | 'write-offs'
