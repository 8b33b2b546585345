// A bank's layout of return files. The tables beside are data: positions and codes come from the
// banks' manuals.
import type { Field } from '../record/record-field.js'
import type { ReturnLineKind, ReturnTotal } from '@cofre/provider-kit/bank'

export interface HeaderFields {
  readonly agency?: Field
  readonly account?: Field
  readonly agreement?: Field
  readonly fileNumber?: Field
  readonly writtenOn: Field
}

/** Fields of one title, however many records it has. */
export interface TitleFields {
  readonly code: Field
  readonly ourNumber: Field
  readonly companyUse?: Field
  readonly document: Field
  readonly dueOn: Field
  readonly title: Field
  readonly fee?: Field
  readonly reasons?: Field
}

export interface MoneyFields {
  readonly occurredOn: Field
  readonly creditedOn?: Field
  readonly discount?: Field
  readonly paid: Field
  readonly interest?: Field
  readonly credit?: Field
}

/** Codes of occurrences, separated by blanks; codes in no list are `other`. */
export type Occurrences = Readonly<Partial<Record<ReturnLineKind, string>>>

/** A trailer's statement about the lines before it. */
export interface TrailerTotal {
  readonly of: ReturnTotal
  readonly field: Field
  /** Codes of the covered lines; if absent, all. */
  readonly codes?: readonly string[]
  /** Sums the titles' values; if absent, counts them. */
  readonly isSum?: true
}

/** The width of each code of reasons; several are adjacent. */
export type ReasonLength = 2 | 3 | 'text'

/** A column for each field of the order, `1` if that field is wrong. */
export interface Flags {
  readonly field: Field
  /** Under this occurrence, the columns contain the day of credit instead of flags. */
  readonly creditedUnder: string
}

export interface Layout400 {
  /** The type of a title's record: 1, except at Banco do Brasil. */
  readonly recordType: '1' | '7'
  readonly header: HeaderFields
  readonly detail: TitleFields & MoneyFields
  /** The file's owner, if each title names it instead of the header. */
  readonly owner?: { readonly agency: Field; readonly account: Field }
  readonly occurrences: Occurrences
  readonly reasonLength: ReasonLength
  /** Trailer totals with known meanings; most banks' totals have another one, or are zeros. */
  readonly totals: readonly TrailerTotal[]
  /** The PIX record of the title before it. */
  readonly pix?: { readonly recordType: string; readonly txid: Field }
  readonly flags?: Flags
  /** The paid amount is the credited one, after the bank's fee. */
  readonly isPaidNetOfFee?: true
}

export interface Layout240 {
  readonly header: HeaderFields
  /** Segment T. */
  readonly title: TitleFields
  /** Segment U. */
  readonly money: MoneyFields
  /** Segment Y-03: the PIX of the title before it. */
  readonly pixTxid?: Field
  readonly occurrences: Occurrences
  /** Some banks count a lot's records without its header and trailer. */
  readonly lotCount: 'all' | 'all-or-titles' | 'not-held'
  readonly isRecordCountHeld: boolean
  readonly isPadded: boolean
}
