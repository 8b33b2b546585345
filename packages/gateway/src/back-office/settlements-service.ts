import { type Clock, type Log, pages } from '@cofre/contracts'
import { dayNumberInBrasilia } from '../model/calendar/brazilian-calendar.js'
import type {
  LineResolution,
  MissingPayment,
  SettledLinesQuery,
  SettlementPage,
  SettlementPeriod,
} from '../model/settlement/settlement.js'
import type {
  FileContent,
  SettlementImport,
  UploadEnd,
  UploadedFile,
} from '../payment/settlement-service.js'
import type {
  SettlementFileStore,
  SettlementLists,
  SettlementResolutions,
} from '../payment/ports.js'

export type { UploadEnd } from '../payment/settlement-service.js'

/** What arrived in a store's accounts, compared with its payments. */
export type Settlements = ReturnType<typeof createSettlements>

/** In an export, of one reading. */
const EXPORTED_AT_ONCE = 500

export interface SettlementsDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly settlementFiles: SettlementFileStore
  readonly settlementLists: SettlementLists
  readonly settlementResolutions: SettlementResolutions
  readonly settlementImport: SettlementImport
}

export function createSettlements(deps: SettlementsDeps) {
  const { clock, settlementFiles: files, settlementImport, settlementLists: lists } = deps
  return {
    /** The day that it is in Brasília, since 1970. */
    today: () => dayNumberInBrasilia(clock.now()),

    days: (storeId: string, period: SettlementPeriod) => lists.days(storeId, period),

    lines: (storeId: string, query: SettledLinesQuery) => lists.lines(storeId, query),

    /** All of them, page by page. */
    allLines: (storeId: string, query: Omit<SettledLinesQuery, 'limit'>) =>
      pages(
        (after) => lists.lines(storeId, { ...query, after, limit: EXPORTED_AT_ONCE }),
        query.after,
      ),

    /** Accounts of which every payment of some days has to be in a file. */
    covered: (storeId: string) => lists.covered(storeId),

    /** Payments of these accounts that no line is of. */
    missing: (storeId: string, query: MissingQuery) => findMissing(deps, storeId, query),

    allMissing: (storeId: string) =>
      pages((after: string | undefined) =>
        findMissing(deps, storeId, { after, limit: EXPORTED_AT_ONCE }),
      ),

    files: (
      storeId: string,
      page: { readonly before?: number | undefined; readonly limit: number },
    ) => files.list(storeId, page),

    /** Undefined where the store has no such file. */
    file: (storeId: string, id: number) => files.find(storeId, id),

    /** Imports a file, all of its lines or none, and begins to compare them. */
    async upload(uploaded: UploadedFile, content: FileContent): Promise<UploadEnd> {
      const end = await settlementImport.take(uploaded, content)
      // A small file is compared when its page comes up; else a worker goes on.
      await settlementImport.compare().catch((error: unknown) => {
        deps.log.warn({ file: end.id, error }, 'the lines of a file are compared later')
      })
      return end
    },

    /** Takes a file out, with its lines. False where the store has no such file that is at rest. */
    remove: (storeId: string, id: number) => files.remove(storeId, id),

    /** Notes what a person has found of a difference; false where the line has none. */
    resolve: (storeId: string, resolution: Omit<LineResolution, 'atMs'>) =>
      deps.settlementResolutions.resolve(storeId, { ...resolution, atMs: deps.machineClock.now() }),

    /** Compares a file's lines anew. False where the store has no such file that is at rest. */
    compareAgain: (storeId: string, id: number) => files.compareAgain(storeId, id),
  }
}

export interface MissingQuery {
  /** As a page before has given it. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Payments that a page looks at: more are on the next one, which may have none either. */
const QUESTIONS_MAX = 20

/** Where a page begins: in which of the covered stretches, before which payment. */
const CURSOR = /^(?<index>\d{1,5})-(?<code>\d{1,16})$/

async function findMissing(
  { settlementLists }: SettlementsDeps,
  storeId: string,
  { after, limit }: MissingQuery,
): Promise<SettlementPage<MissingPayment>> {
  const cursor = CURSOR.exec(after ?? '')?.groups
  const items: MissingPayment[] = []
  let index = Number(cursor?.index ?? 0)
  let before = cursor?.code === undefined ? undefined : Number(cursor.code)
  const covered = await settlementLists.covered(storeId)
  for (let questions = 0; questions < QUESTIONS_MAX && items.length < limit; questions += 1) {
    const account = covered[index]
    if (account === undefined) return { items, next: undefined }
    const list = { before, limit: limit - items.length }
    const found = await settlementLists.missing(storeId, account, list)
    items.push(...found.items)
    before = found.readTo
    if (before === undefined) index += 1
  }
  const isEnd = covered[index] === undefined
  return { items, next: isEnd ? undefined : `${index}-${before ?? Number.MAX_SAFE_INTEGER}` }
}
