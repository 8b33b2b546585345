// The stores of files and lists.
import type { ListPage, ListQuery, SettlementLine } from '@cofre/contracts'
import type {
  CoveredAccount,
  LineResolution,
  MissingPayment,
  NewSettlementFile,
  ReadFile,
  SettledDay,
  SettledLine,
  SettledLinesQuery,
  SettlementFile,
  SettlementPeriod,
  SettlementRefusal,
} from './settlement.js'

export interface SettlementFileStore {
  /** Begins a file, whose lines stay hidden until its end. False if the id is used. */
  begin(file: NewSettlementFile): Promise<boolean>
  /** Stores some of its lines, at most {@link LINES_AT_ONCE}. */
  insertLines(file: NewSettlementFile, lines: readonly SettlementLine[]): Promise<void>
  /**
   * Ends a complete file. Returns the id of an earlier file with the same content; then this one is
   * removed. `gone` if it took too long and was removed.
   */
  finish(file: NewSettlementFile, read: ReadFile): Promise<'taken' | 'gone' | number>
  /** Stores only the reason for the refusal. */
  refuse(file: NewSettlementFile, refusal: SettlementRefusal, bytes: number): Promise<void>
  /** Stores nothing, because the file did not arrive. */
  abandon(file: NewSettlementFile): Promise<void>
  /** Removes a file, with its lines. False if the store has no such file that can be removed. */
  remove(storeId: string, id: number): Promise<boolean>
  /** Compares all its lines again. False if the store has no such file that can be compared. */
  compareAgain(storeId: string, id: number): Promise<boolean>
  find(storeId: string, id: number): Promise<SettlementFile | undefined>
  /** Newest first. */
  list(storeId: string, query: ListQuery): Promise<ListPage<SettlementFile>>
}

export interface SettlementLists {
  /** Latest first; days without a line have no entry. */
  days(storeId: string, period: SettlementPeriod): Promise<readonly SettledDay[]>
  lines(storeId: string, query: SettledLinesQuery): Promise<ListPage<SettledLine>>
  /** Accounts, each with days whose payments must all be in a file. */
  covered(storeId: string): Promise<readonly CoveredAccount[]>
  /** For all stores: the latest days for which an account's card files have no gap. */
  coveredByFiles(): Promise<readonly CoveredAccount[]>
  /** Payments without a line, latest first. */
  missing(storeId: string, account: CoveredAccount, list: MissingList): Promise<FoundMissing>
}

export interface MissingList {
  /** The last code that was read: only earlier payments follow. */
  readonly before: number | undefined
  readonly limit: number
}

/** The payments of one query, and its end. */
export interface FoundMissing {
  readonly items: readonly MissingPayment[]
  /** The last code that was read; undefined after the end. */
  readonly readTo: number | undefined
}

export interface SettlementResolutions {
  /** Records the finding on a difference; false if the store has none in that line. */
  resolve(storeId: string, resolution: LineResolution): Promise<boolean>
}

export interface SettlementWork {
  /**
   * Does a part of the due work, of each store in turn: a large file, or one that cannot be
   * compared, delays no other store. Returns true if there may be more.
   */
  round(machineNowMs: number): Promise<boolean>
}
