// What is kept of files and lists, and how it is read.
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
  /** Begins a file, whose lines nobody sees before its end. False where the id is taken. */
  begin(file: NewSettlementFile): Promise<boolean>
  /** Keeps some of its lines, at most {@link LINES_AT_ONCE}. */
  keep(file: NewSettlementFile, lines: readonly SettlementLine[]): Promise<void>
  /**
   * Ends a file that was read whole. The id of the file that had the same content before; then this
   * one is taken out. `gone` where it took too long, and was taken out.
   */
  finish(file: NewSettlementFile, read: ReadFile): Promise<'taken' | 'gone' | number>
  /** Nothing of it is kept but why. */
  refuse(file: NewSettlementFile, refusal: SettlementRefusal, bytes: number): Promise<void>
  /** Nothing of it is kept: it did not arrive. */
  abandon(file: NewSettlementFile): Promise<void>
  /** Takes it out, with its lines. False where the store has no such file that could be. */
  remove(storeId: string, id: number): Promise<boolean>
  /** Compares all its lines anew. False where the store has no such file that could be. */
  compareAgain(storeId: string, id: number): Promise<boolean>
  find(storeId: string, id: number): Promise<SettlementFile | undefined>
  /** The newest first. */
  list(storeId: string, query: ListQuery): Promise<ListPage<SettlementFile>>
}

export interface SettlementLists {
  /** The latest first; days without a line have no entry. */
  days(storeId: string, period: SettlementPeriod): Promise<readonly SettledDay[]>
  lines(storeId: string, query: SettledLinesQuery): Promise<ListPage<SettledLine>>
  /** Accounts of which every payment of some days has to be in a file. */
  covered(storeId: string): Promise<readonly CoveredAccount[]>
  /** Of all stores, the last days of which files of an account's cards came without a gap. */
  coveredByFiles(): Promise<readonly CoveredAccount[]>
  /** Payments that no line is of, the latest first. */
  missing(storeId: string, account: CoveredAccount, list: MissingList): Promise<FoundMissing>
}

export interface MissingList {
  /** Those before it: the last code that was read. */
  readonly before: number | undefined
  readonly limit: number
}

/** What one question has found, and how far it came. */
export interface FoundMissing {
  readonly items: readonly MissingPayment[]
  /** The last code that was read; undefined once all were. */
  readonly readTo: number | undefined
}

export interface SettlementResolutions {
  /** Notes what was found of a difference; false where the store has none in that line. */
  resolve(storeId: string, resolution: LineResolution): Promise<boolean>
}

export interface SettlementWork {
  /**
   * Does a part of what is to be done, of each store in its turn: a large file, or one that cannot
   * be compared, keeps no other store waiting. Returns whether there may be more.
   */
  round(machineNowMs: number): Promise<boolean>
}
