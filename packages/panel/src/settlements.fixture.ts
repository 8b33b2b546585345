import { DAY_MS } from '@cofre/contracts'
import type {
  CoveredAccount,
  MissingPayment,
  SettledDay,
  SettledLine,
  SettlementFile,
  Settlements,
} from '@cofre/settlements'
import { someOf } from './list-pages.fixture.js'

const STORE = 'store-1'
const TODAY_MS = Date.parse('2026-11-21T12:00:00Z')

/** What arrived in its accounts. */
export interface HeldSettlements {
  readonly days: SettledDay[]
  readonly files: SettlementFile[]
  readonly lines: SettledLine[]
  readonly covered: CoveredAccount[]
  readonly missing: MissingPayment[]
}

/** Takes every file in, as lines of what was written, and compares nothing. */
export function fakeSettlements(held: {
  readonly settlements: HeldSettlements
  readonly writes: string[]
}): Settlements {
  const own = <Item>(storeId: string, items: readonly Item[]) =>
    storeId === STORE ? [...items] : []
  const find = (storeId: string, id: number) =>
    own(storeId, held.settlements.files).find((file) => file.id === id)
  return {
    today: () => Math.floor(TODAY_MS / DAY_MS),
    days: (storeId) => Promise.resolve(own(storeId, held.settlements.days)),
    lines: (storeId, { results, limit }) => {
      const lines = own(storeId, held.settlements.lines)
      const items = lines.filter(({ result }) => results.includes(result)).slice(0, limit)
      return Promise.resolve({ items, next: lines.length > limit ? '1-1-1' : undefined })
    },
    allLines: async function* (storeId) {
      yield* await Promise.resolve(own(storeId, held.settlements.lines))
    },
    covered: (storeId) => Promise.resolve(own(storeId, held.settlements.covered)),
    missing: (storeId) =>
      Promise.resolve({ items: own(storeId, held.settlements.missing), next: undefined }),
    allMissing: async function* (storeId) {
      yield* await Promise.resolve(own(storeId, held.settlements.missing))
    },
    files: (storeId, query) => Promise.resolve(someOf(own(storeId, held.settlements.files), query)),
    file: (storeId, id) => Promise.resolve(find(storeId, id)),
    async upload(file, { lines, read }) {
      const texts: string[] = []
      for await (const { line, grossMinor } of lines) texts.push(`${line}:${grossMinor}`)
      held.writes.push(`upload ${JSON.stringify({ ...file, ...read(), lines: texts.join(' ') })}`)
      return { kind: 'taken', id: 1 }
    },
    remove: (storeId, id) => {
      held.writes.push(`remove ${storeId} ${id}`)
      return Promise.resolve(find(storeId, id) !== undefined)
    },
    resolve: (storeId, { fileId, line, actor, note }) => {
      held.writes.push(`resolve ${storeId} ${fileId}:${line} ${actor} ${note}`)
      return Promise.resolve(find(storeId, fileId) !== undefined)
    },
    compareAgain: (storeId, id) => {
      held.writes.push(`compare ${storeId} ${id}`)
      return Promise.resolve(find(storeId, id) !== undefined)
    },
  }
}
