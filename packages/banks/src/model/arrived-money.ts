// Banks' reports of arrived money, for the room that compares them with payments.
import type { SettlementLine } from '@cofre/contracts'
import type { PixBankPayment } from '@cofre/provider-kit/bank'

/** A part of an account's list of PIX, as its bank returned it. */
export interface ListedPix {
  readonly accountId: string
  readonly payments: readonly PixBankPayment[]
  /** Becomes the list's id if the list begins with this part. */
  readonly newId: number
  readonly machineNowMs: number
}

/** A bank's file whose payments are recorded. */
export interface RecordedFile {
  readonly storeId: string
  readonly accountId: string
  /** The format that finance would choose for an upload. */
  readonly format: string
  readonly name: string
  readonly actor: string
  readonly sha256: string
  readonly bytes: number
  readonly lines: readonly SettlementLine[]
}

/** Compares arrived money with payments. */
export interface ArrivedMoney {
  /** Adds payments that were not listed before. */
  recordList(listed: ListedPix): Promise<void>
  /**
   * The last day that a file of that format may name, `YYYY-MM-DD`.
   * @throws UnknownFormatError
   * @throws SettlementFileError `bad-value` for a line of a day on which nothing can have been paid
   */
  lastDayOf(format: string, lines: readonly SettlementLine[]): string
  /**
   * Stores a file and compares its lines; compares again a file that finance has already uploaded.
   * Resolves to the id by which the console shows it.
   */
  recordFile(file: RecordedFile): Promise<number>
}
