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

/** An uploaded file, before it is read. */
export type UploadedFile = Omit<NewSettlementFile, 'id' | 'uploadedAtMs'>

/** The content of a file while it is read. */
export interface FileContent {
  readonly lines: AsyncIterable<SettlementLine>
  /** The facts of the part that was read; of the whole file once its lines were read. */
  readonly read: () => Omit<ReadFile, 'atMs'>
}

/** The result of an upload. */
export type UploadEnd =
  | { readonly kind: 'taken'; readonly id: number }
  /** The same content was uploaded before, as that file. */
  | { readonly kind: 'known'; readonly id: number }
  | { readonly kind: 'refused'; readonly id: number; readonly refusal: SettlementRefusal }

/** Money that arrived in a store's accounts, compared with its payments. */
export interface Settlements {
  /** The current day in Brasília, since 1970. */
  today(): number
  days(storeId: string, period: SettlementPeriod): Promise<readonly SettledDay[]>
  lines(storeId: string, query: SettledLinesQuery): Promise<ListPage<SettledLine>>
  /** All matching lines, read page by page. */
  allLines(
    storeId: string,
    query: Omit<SettledLinesQuery, 'limit'>,
  ): AsyncGenerator<SettledLine, void>
  /** Accounts, each with days whose payments must all be in a file. */
  covered(storeId: string): Promise<readonly CoveredAccount[]>
  /** Payments of these accounts without a line. */
  missing(storeId: string, query: ListQuery): Promise<ListPage<MissingPayment>>
  allMissing(storeId: string): AsyncGenerator<MissingPayment, void>
  /** Newest first. */
  files(storeId: string, query: ListQuery): Promise<ListPage<SettlementFile>>
  /** Undefined if the store has no such file. */
  file(storeId: string, id: number): Promise<SettlementFile | undefined>
  /**
   * Imports a file, all of its lines or none, and begins to compare them.
   * @throws UnknownFormatError before anything is stored
   */
  upload(uploaded: UploadedFile, content: FileContent): Promise<UploadEnd>
  /** Removes a file, with its lines. False if the store has no such file in an idle state. */
  remove(storeId: string, id: number): Promise<boolean>
  /** Records a person's finding on a difference; false if the line has none. */
  resolve(storeId: string, resolution: Omit<LineResolution, 'atMs'>): Promise<boolean>
  /** Compares a file's lines again. False if the store has no such file in an idle state. */
  compareAgain(storeId: string, id: number): Promise<boolean>
}
