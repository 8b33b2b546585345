// The content of a bank's return file (CNAB), for every layout.

/** The result of a title's order, or a fee of it. */
export const RETURN_LINE_KINDS = [
  /** The bank registered it, and it can be paid. */
  'registered',
  /** The bank refused it: it does not exist there. */
  'rejected',
  'paid',
  /** It can no longer be paid: by order, by its age, or because of a protest. */
  'written-off',
  /** Only the bank's fee. */
  'fee',
  /** Protest: on its way to a notary, there, or back. */
  'protest',
  /** Its date, amount or data changed. */
  'changed',
  /** The bank refused an order about an existing title. */
  'order-refused',
  /** The bank reversed a payment. */
  'reversed',
  /** Anything else: the bank's code gives the meaning. */
  'other',
] as const
export type ReturnLineKind = (typeof RETURN_LINE_KINDS)[number]

/** One title's occurrence. Amounts in centavos; days as `YYYY-MM-DD`. */
export interface ReturnLine {
  /** Its first line in the file, from 1. */
  readonly line: number
  readonly kind: ReturnLineKind
  /**
   * The bank's own code of the occurrence; `record 5` or `segment Q` for one that is not parsed.
   */
  readonly code: string
  /** The bank's own codes of the reason; for Inter, a text. */
  readonly reasons: readonly string[]
  /** `nosso número` as in the file; with its check digit for a bank that works by files. */
  readonly ourNumber: string | undefined
  /** The store's names: its free-use field, then the document number. */
  readonly ourNames: readonly string[]
  readonly titleMinor: number
  /** The amount that the payer paid, including the bank's fee if the bank deducts it. */
  readonly paidMinor: number
  readonly interestMinor: number
  readonly discountMinor: number
  readonly feeMinor: number
  /** The amount that the bank pays out, if the file states it. */
  readonly creditMinor: number | undefined
  readonly occurredOn: string | undefined
  readonly creditedOn: string | undefined
  readonly dueOn: string | undefined
  /** Set if it was registered with PIX, or paid by it. */
  readonly pixTxid: string | undefined
}

/** The file's owner. Numbers are as in the file. */
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
  /** Totals stated in the file, all verified. */
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
