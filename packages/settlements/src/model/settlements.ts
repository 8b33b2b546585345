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

/** Somebody's file, before it is read. */
export type UploadedFile = Omit<NewSettlementFile, 'id' | 'uploadedAtMs'>

/** What a file has, as it is read. */
export interface FileContent {
  readonly lines: AsyncIterable<SettlementLine>
  /** What is known of it so far; of all of it once its lines were read. */
  readonly read: () => Omit<ReadFile, 'atMs'>
}

/** What became of a file. */
export type UploadEnd =
  | { readonly kind: 'taken'; readonly id: number }
  /** The same content was uploaded before, as that file. */
  | { readonly kind: 'known'; readonly id: number }
  | { readonly kind: 'refused'; readonly id: number; readonly refusal: SettlementRefusal }

/** What arrived in a store's accounts, compared with its payments. */
export interface Settlements {
  /** The day that it is in Brasília, since 1970. */
  today(): number
  days(storeId: string, period: SettlementPeriod): Promise<readonly SettledDay[]>
  lines(storeId: string, query: SettledLinesQuery): Promise<ListPage<SettledLine>>
  /** All of them, read page by page. */
  allLines(
    storeId: string,
    query: Omit<SettledLinesQuery, 'limit'>,
  ): AsyncGenerator<SettledLine, void>
  /** Accounts of which every payment of some days has to be in a file. */
  covered(storeId: string): Promise<readonly CoveredAccount[]>
  /** Payments of these accounts that no line is of. */
  missing(storeId: string, query: ListQuery): Promise<ListPage<MissingPayment>>
  allMissing(storeId: string): AsyncGenerator<MissingPayment, void>
  /** The newest first. */
  files(storeId: string, query: ListQuery): Promise<ListPage<SettlementFile>>
  /** Undefined where the store has no such file. */
  file(storeId: string, id: number): Promise<SettlementFile | undefined>
  /**
   * Imports a file, all of its lines or none, and begins to compare them.
   * @throws UnknownFormatError before anything is kept
   */
  upload(uploaded: UploadedFile, content: FileContent): Promise<UploadEnd>
  /** Takes a file out, with its lines. False where the store has no such file that is at rest. */
  remove(storeId: string, id: number): Promise<boolean>
  /** Notes what a person has found of a difference; false where the line has none. */
  resolve(storeId: string, resolution: Omit<LineResolution, 'atMs'>): Promise<boolean>
  /** Compares a file's lines anew. False where the store has no such file that is at rest. */
  compareAgain(storeId: string, id: number): Promise<boolean>
}
