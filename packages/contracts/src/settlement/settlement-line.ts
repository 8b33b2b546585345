// What an acquirer has paid out, whatever its file looks like.
import type { Environment } from '../value/environment.js'

export const SETTLEMENT_KINDS = [
  'sale',
  'refund',
  'chargeback',
  'chargeback-reversed',
  'fee',
  'other',
] as const
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number]

/** One line of such a file. Amounts in centavos: positive for what the store receives. */
export interface SettlementLine {
  /** Where it stands in the file, from 1. */
  readonly line: number
  readonly kind: SettlementKind
  /** Of the transaction, as the acquirer's file repeats it or the store wrote it. */
  readonly transactionCode?: string | undefined
  /** The store's own identifier of the payment. */
  readonly reference?: string | undefined
  /** The payment's id at its acquirer. */
  readonly acquirerId?: string | undefined
  /** Of money that came by a bank, as it was recorded. */
  readonly endToEndId?: string | undefined
  readonly nsu?: string | undefined
  readonly authorizationCode?: string | undefined
  /** In lower case, as the acquirer calls it. */
  readonly brand?: string | undefined
  /** From 1; with {@link installments}, which it is of how many. */
  readonly installment?: number | undefined
  readonly installments?: number | undefined
  readonly grossMinor: number
  /** What is kept of it: positive where it costs the store. */
  readonly feeMinor: number
  /** Gross less fee. */
  readonly netMinor: number
  /** `YYYY-MM-DD`: when it was paid out. */
  readonly paidOn: string
  /** Tells it from another line that says the same otherwise. */
  readonly entryId?: string | undefined
}

export const SETTLEMENT_PROBLEMS = [
  /** It is no text, or one in UTF-16 or with a NUL in it. */
  'not-text',
  /** It is another report, or another version of it. */
  'wrong-report',
  'missing-column',
  'bad-value',
  /** A spreadsheet has saved an acquirer's file again, and its numbers, days or cells changed. */
  'resaved',
  /** Amounts are read in BRL alone. */
  'wrong-currency',
  /** Something in it may be a card number. */
  'card-number',
  'line-too-long',
  'too-large',
  /** It ends before its end, or its own totals do not agree. */
  'incomplete',
  'no-lines',
  /** Of files of fixed width: a record is longer or shorter than its layout's. */
  'wrong-length',
  /** Another kind of record has to stand there. */
  'wrong-record',
  'wrong-sequence',
  'digits-expected',
  'unknown-bank',
  /** Its trailer states another total than its lines have. */
  'contradiction',
] as const
export type SettlementProblem = (typeof SETTLEMENT_PROBLEMS)[number]

/** Where in a file something stands. */
export interface SettlementPlace {
  /** From 1. */
  readonly line?: number | undefined
  /** Name of the column or field, as the format's description has it; of missing columns all. */
  readonly field?: string | undefined
  /** Of files of fixed width, from 1. */
  readonly column?: number | undefined
  /** What has to stand there. */
  readonly expected?: string | undefined
  /** Part of the file's frame, such as a count: never what it says of a payment. */
  readonly found?: string | undefined
}

/** Between missing columns of which one is enough. */
export const EITHER_COLUMN = '|'

/** A file that cannot be read: nothing of it is to be kept. Its message shows no value of it. */
export class SettlementFileError extends Error {
  override readonly name = 'SettlementFileError'
  readonly problem: SettlementProblem
  readonly place: SettlementPlace

  constructor(problem: SettlementProblem, place: SettlementPlace = {}) {
    super(problem)
    this.problem = problem
    this.place = place
  }
}

/**
 * Reads a file as it arrives, in bounded memory, for the environment whose payments it names.
 * @throws SettlementFileError while lines are read, or at the end of them
 */
export type ReadSettlement = (
  content: AsyncIterable<Uint8Array>,
  environment: Environment,
) => AsyncIterable<SettlementLine>

/** A kind of file that can be read. Its reader's package states its facts; no other names it. */
export interface SettlementFormat {
  /** As files are stored with it: lower-case letters, digits and hyphens. */
  readonly name: string
  /** What people read. */
  readonly titles: Readonly<Record<'en' | 'pt-BR', string>>
  /** How many days after today its lines may be paid out, as the calendar in Brasília counts. */
  readonly daysAhead: number
  /** Whether the reference of its lines is the name that Cofre gave a boleto at its bank. */
  readonly namesCharges?: boolean
  /** Whether it is a table: a file that is refused as `wrong-report` lacks all expected columns. */
  readonly isTable?: boolean
  /** Loads its reader, which a process that reads no file does without. */
  readonly loadReader: () => Promise<ReadSettlement>
}

/** A file may have so many bytes: a month of a large store. */
export const SETTLEMENT_FILE_BYTES_MAX: number = 200 * 1024 * 1024
