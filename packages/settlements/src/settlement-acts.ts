import {
  type Clock,
  type Cursor,
  type ListPage,
  type ListQuery,
  type Log,
  cursorBy,
  pages,
} from '@cofre/contracts'
import { dayNumberInBrasilia } from '@cofre/gateway/room'
import {
  type CoveredAccount,
  type LineResolution,
  type MissingPayment,
  type SettledDay,
  type SettledLine,
  type SettlementFile,
  type SettledLinesQuery,
  type SettlementPeriod,
  codesOf,
} from './model/settlement.js'
import type { FileContent, SettlementImport, UploadEnd, UploadedFile } from './settlement-import.js'
import type { SettlementFileStore, SettlementLists, SettlementResolutions } from './model/stores.js'

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

/** In an export, of one reading. */
const EXPORTED_AT_ONCE = 500

interface SettlementsDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly settlementFiles: SettlementFileStore
  readonly settlementLists: SettlementLists
  readonly settlementResolutions: SettlementResolutions
  readonly files: Pick<SettlementImport, 'take' | 'compare'>
}

export function createSettlementActs(deps: SettlementsDeps): Settlements {
  const { clock, settlementFiles: files, settlementLists: lists } = deps
  return {
    today: () => dayNumberInBrasilia(clock.now()),
    days: (storeId, period) => lists.days(storeId, period),
    lines: (storeId, query) => lists.lines(storeId, query),
    allLines: (storeId, query) =>
      pages(
        (after) => lists.lines(storeId, { ...query, after, limit: EXPORTED_AT_ONCE }),
        query.after,
      ),
    covered: (storeId) => lists.covered(storeId),
    missing: (storeId, query) => findMissing(deps, storeId, query),
    allMissing: (storeId) =>
      pages((after: string | undefined) =>
        findMissing(deps, storeId, { after, limit: EXPORTED_AT_ONCE }),
      ),
    files: (storeId, query) => files.list(storeId, query),
    file: (storeId, id) => files.find(storeId, id),
    async upload(uploaded, content) {
      const end = await deps.files.take(uploaded, content)
      // A small file is compared when its page comes up; else a worker goes on.
      await deps.files.compare().catch((error: unknown) => {
        deps.log.warn({ file: end.id, error }, 'the lines of a file are compared later')
      })
      return end
    },
    remove: (storeId, id) => files.remove(storeId, id),
    resolve: (storeId, resolution) =>
      deps.settlementResolutions.resolve(storeId, { ...resolution, atMs: deps.machineClock.now() }),
    compareAgain: (storeId, id) => files.compareAgain(storeId, id),
  }
}

/** Payments that a page looks at: more are on the next one, which may have none either. */
const QUESTIONS_MAX = 20

/** The account, and the code before which the next page begins. */
interface Place {
  readonly code: number
  readonly accountId: string
}

const CURSOR: Cursor<Place> = cursorBy({ code: 'bigint', accountId: 'text' })

async function findMissing(
  { settlementLists }: SettlementsDeps,
  storeId: string,
  { after, limit }: ListQuery,
): Promise<ListPage<MissingPayment>> {
  const items: MissingPayment[] = []
  let place = CURSOR.read(after)
  let questions = 0
  for (const account of leftAfter(place, await settlementLists.covered(storeId))) {
    const { accountId } = account
    let before = place?.accountId === accountId ? place.code : undefined
    do {
      if (questions === QUESTIONS_MAX || items.length >= limit)
        return { items, next: place && CURSOR.of(place) }
      questions += 1
      const list = { before, limit: limit - items.length }
      const found = await settlementLists.missing(storeId, account, list)
      items.push(...found.items)
      before = found.readTo
      place = { accountId, code: before ?? codesOf(account).from }
    } while (before !== undefined)
  }
  return { items, next: undefined }
}

/**
 * The stretches left to read, by account and then the latest first: no file that comes or goes
 * changes the order of two payments.
 */
function leftAfter(
  place: Place | undefined,
  covered: readonly CoveredAccount[],
): readonly CoveredAccount[] {
  const isLeft = (account: CoveredAccount): boolean => {
    if (place === undefined) return true
    const { accountId } = account
    if (accountId === place.accountId) return codesOf(account).from < place.code
    return accountId > place.accountId
  }
  return covered.filter(isLeft).toSorted((one, other) => {
    if (one.accountId === other.accountId) return other.fromDay - one.fromDay
    return one.accountId < other.accountId ? -1 : 1
  })
}
