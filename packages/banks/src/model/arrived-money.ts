// What banks tell of money that has arrived, to whoever compares it with payments.
import type { SettlementLine } from '@cofre/contracts'
import type { PixBankPayment } from '@cofre/provider-kit/bank'

/** A part of an account's list of PIX, as its bank has answered. */
export interface ListedPix {
  readonly accountId: string
  readonly payments: readonly PixBankPayment[]
  /** For the list, where it begins. */
  readonly newId: number
  readonly machineNowMs: number
}

/** A bank's file whose payments are recorded. */
export interface RecordedFile {
  readonly storeId: string
  readonly accountId: string
  /** With which finance would upload it. */
  readonly format: string
  readonly name: string
  readonly actor: string
  readonly sha256: string
  readonly bytes: number
  readonly lines: readonly SettlementLine[]
}

/** Where money that has arrived is compared with payments. */
export interface ArrivedMoney {
  /** Adds what was not listed before. */
  keepList(listed: ListedPix): Promise<void>
  /**
   * The last day that a file of that format may name, `YYYY-MM-DD`.
   * @throws UnknownFormatError
   * @throws SettlementFileError `bad-value` for a line of a day on which nothing can have been paid
   */
  lastDayOf(format: string, lines: readonly SettlementLine[]): string
  /**
   * Keeps a file and compares its lines, anew where finance has uploaded it before. Resolves to the
   * id by which the console shows it.
   */
  keepFile(file: RecordedFile): Promise<number>
}
