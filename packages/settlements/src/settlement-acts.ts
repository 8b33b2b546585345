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
import { type CoveredAccount, type MissingPayment, codesOf } from './model/settlement.js'
import type { Settlements } from './model/settlements.js'
import type { SettlementImport } from './settlement-import.js'
import type { SettlementFileStore, SettlementLists, SettlementResolutions } from './model/stores.js'

/** The page size of an export. */
const EXPORTED_AT_ONCE = 500

interface SettlementsDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly settlementFiles: SettlementFileStore
  readonly settlementLists: SettlementLists
  readonly settlementResolutions: SettlementResolutions
  readonly files: Pick<SettlementImport, 'importFile' | 'compare'>
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
      const end = await deps.files.importFile(uploaded, content)
      // Compares a small file before its page is shown; a worker continues a larger one.
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

/** The maximum of queries for one page: the next page continues, and may also be empty. */
const QUESTIONS_MAX = 20

/** The account, and the code before which the next page begins. */
interface PaymentCursor {
  readonly code: number
  readonly accountId: string
}

const CURSOR: Cursor<PaymentCursor> = cursorBy({ code: 'bigint', accountId: 'text' })

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
 * The stretches left to read, by account and then latest first: a file that is added or removed
 * never changes the order of two payments.
 */
function leftAfter(
  place: PaymentCursor | undefined,
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
