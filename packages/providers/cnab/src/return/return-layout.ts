// How a bank lays out its return files. The tables beside are data: positions and codes are facts
// of the banks' manuals.
import type { Field } from '../record/record-field.js'
import type { ReturnLineKind, ReturnTotal } from '@cofre/provider-kit/bank'

export interface HeaderFields {
  readonly agency?: Field
  readonly account?: Field
  readonly agreement?: Field
  readonly fileNumber?: Field
  readonly writtenOn: Field
}

/** Of one title, however many records it fills. */
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

/** Codes of occurrences, blanks between them; of what stands in none, the kind is `other`. */
export type Occurrences = Readonly<Partial<Record<ReturnLineKind, string>>>

/** What a trailer says of the lines before it. */
export interface TrailerTotal {
  readonly of: ReturnTotal
  readonly field: Field
  /** Codes of the lines that it is of; all of them where absent. */
  readonly codes?: readonly string[]
  /** Their titles' values are summed; else they are counted. */
  readonly isSum?: true
}

/** One or more codes of reasons, side by side, each of so many letters. */
export type ReasonLength = 2 | 3 | 'text'

/** A column for each field of the order, `1` where that field is wrong. */
export interface Flags {
  readonly field: Field
  /** Under this occurrence the day of credit stands among them, and no flag. */
  readonly creditedUnder: string
}

export interface Layout400 {
  /** Of the record that is a title: 1, but at Banco do Brasil. */
  readonly recordType: '1' | '7'
  readonly header: HeaderFields
  readonly detail: TitleFields & MoneyFields
  /** Who the file is for, where each title says so instead of the header. */
  readonly owner?: { readonly agency: Field; readonly account: Field }
  readonly occurrences: Occurrences
  readonly reasonLength: ReasonLength
  /** Trailer totals whose meaning is known; most banks' are of something else, or zeros. */
  readonly totals: readonly TrailerTotal[]
  /** Record of the PIX of the title before it. */
  readonly pix?: { readonly recordType: string; readonly txid: Field }
  readonly flags?: Flags
  /** What is paid there is what was credited: the bank's fee was taken off before. */
  readonly isPaidNetOfFee?: true
}

export interface Layout240 {
  readonly header: HeaderFields
  /** Segment T. */
  readonly title: TitleFields
  /** Segment U. */
  readonly money: MoneyFields
  /** Segment Y-03, of the PIX of the title before it. */
  readonly pixTxid?: Field
  readonly occurrences: Occurrences
  /** Records of a lot are counted without its header and trailer, by some. */
  readonly lotCount: 'all' | 'all-or-titles' | 'not-held'
  readonly isRecordCountHeld: boolean
  readonly isPadded: boolean
}
