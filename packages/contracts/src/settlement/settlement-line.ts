// An acquirer's payouts, independent of its file format.
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

/**
 * One line of a settlement file. Amounts in centavos: positive for money that the store receives.
 */
export interface SettlementLine {
  /** Line number in the file, from 1. */
  readonly line: number
  readonly kind: SettlementKind
  /** Code of the transaction, repeated by the acquirer's file or written by the store. */
  readonly transactionCode?: string | undefined
  /** The store's own identifier of the payment. */
  readonly reference?: string | undefined
  /** The payment's id at its acquirer. */
  readonly acquirerId?: string | undefined
  /** End-to-end id of money that came through a bank, as recorded. */
  readonly endToEndId?: string | undefined
  readonly nsu?: string | undefined
  readonly authorizationCode?: string | undefined
  /** The acquirer's name for it, in lower case. */
  readonly brand?: string | undefined
  /** From 1, of {@link installments}. */
  readonly installment?: number | undefined
  readonly installments?: number | undefined
  readonly grossMinor: number
  /** The acquirer's fee: positive if it costs the store. */
  readonly feeMinor: number
  /** Gross less fee. */
  readonly netMinor: number
  /** Date of the payout, `YYYY-MM-DD`. */
  readonly paidOn: string
  /** Distinguishes lines that are otherwise equal. */
  readonly entryId?: string | undefined
}

export const SETTLEMENT_PROBLEMS = [
  /** Not a text, or a text in UTF-16 or with a NUL. */
  'not-text',
  /** Another report, or another version of it. */
  'wrong-report',
  'missing-column',
  'bad-value',
  /** A spreadsheet program saved the acquirer's file again and changed numbers, days or cells. */
  'resaved',
  /** Only amounts in BRL are supported. */
  'wrong-currency',
  /** Some value may be a card number. */
  'card-number',
  'line-too-long',
  'too-large',
  /** The file ends early, or its own totals do not agree. */
  'incomplete',
  'no-lines',
  /** In fixed-width files: a record is longer or shorter than its layout's. */
  'wrong-length',
  /** The layout requires another kind of record here. */
  'wrong-record',
  'wrong-sequence',
  'digits-expected',
  'unknown-bank',
  /** The trailer's total differs from that of the lines. */
  'contradiction',
] as const
export type SettlementProblem = (typeof SETTLEMENT_PROBLEMS)[number]

/** A place in a file. */
export interface SettlementPlace {
  /** From 1. */
  readonly line?: number | undefined
  /** Name of the column or field in the format's description; all names for missing columns. */
  readonly field?: string | undefined
  /** In fixed-width files, from 1. */
  readonly column?: number | undefined
  /** Value that the format requires here. */
  readonly expected?: string | undefined
  /** Part of the file's frame, such as a count: never data of a payment. */
  readonly found?: string | undefined
}

/** Separates missing columns if any one of them is enough. */
export const EITHER_COLUMN = '|'

/** The file is invalid, and none of it may be stored. The message shows no value of it. */
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
 * @throws SettlementFileError while lines are read, or after the last
 */
export type ReadSettlement = (
  content: AsyncIterable<Uint8Array>,
  environment: Environment,
) => AsyncIterable<SettlementLine>

/** A readable file format. Only the package of its reader names it and states its facts. */
export interface SettlementFormat {
  /** Identifier stored with files: lower-case letters, digits and hyphens. */
  readonly name: string
  /** Title for people. */
  readonly titles: Readonly<Record<'en' | 'pt-BR', string>>
  /** Maximum of days after today, in Brasília, for the payout of a line. */
  readonly daysAhead: number
  /** True if a line's reference is the name that Cofre gave a boleto at its bank. */
  readonly namesCharges?: boolean
  /** True for a table: in a file refused as `wrong-report`, all expected columns are missing. */
  readonly isTable?: boolean
  /** Loads the reader, so that processes that read no file do without it. */
  readonly loadReader: () => Promise<ReadSettlement>
}

/** Enough for a month of a large store. */
export const SETTLEMENT_FILE_BYTES_MAX: number = 200 * 1024 * 1024
