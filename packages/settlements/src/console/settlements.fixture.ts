import { DAY_MS, type ReadSettlement, SettlementFileError } from '@cofre/contracts'
import { createSettlementFormats } from '../model/settlement-formats.js'
import { openConsole, someOf } from '@cofre/panel/testing'
import { settlementsPage } from './page.js'
import type {
  CoveredAccount,
  MissingPayment,
  SettledDay,
  SettledLine,
  SettlementFile,
} from '../model/settlement.js'
import type { Settlements } from '../model/settlements.js'

const STORE = 'store-1'
const TODAY_MS = Date.parse('2026-11-21T12:00:00Z')

/** The arrived money in a store's accounts. */
export interface HeldSettlements {
  readonly days: SettledDay[]
  readonly files: SettlementFile[]
  readonly lines: SettledLine[]
  readonly covered: CoveredAccount[]
  readonly missing: MissingPayment[]
}

/** Imports every file as lines of its amounts, and compares nothing. */
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

/** Reads a file of amounts in centavos, one per line; a word is refused. */
const readAmounts: ReadSettlement = async function* (content) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of content) text += decoder.decode(chunk, { stream: true })
  for (const [i, amount] of text.trim().split('\n').entries()) {
    const grossMinor = Number(amount)
    const line = i + 1
    if (Number.isNaN(grossMinor)) throw new SettlementFileError('bad-value', { line })
    const money = { grossMinor, feeMinor: 0, netMinor: grossMinor }
    yield { line, kind: 'sale', paidOn: '2026-11-20', ...money }
  }
}

const FORMAT = {
  daysAhead: 2,
  loadReader: () => Promise.resolve(readAmounts),
}
const FORMATS = createSettlementFormats([
  {
    ...FORMAT,
    name: 'adyen',
    titles: { en: 'Adyen: settlement details', 'pt-BR': 'Adyen: settlement details' },
  },
  {
    ...FORMAT,
    name: 'cofre',
    titles: { en: 'Cofre’s own CSV', 'pt-BR': 'CSV próprio' },
    isTable: true,
  },
])

/** A console of both environments with the pages of settlements. */
export function openSettlements(formats = FORMATS) {
  const [production, sandbox] = [hold(), hold()]
  const settlements = { production: fakeSettlements(production), sandbox: fakeSettlements(sandbox) }
  const ofPayments = () => Promise.resolve(['efi-test'])
  const accountsOfPayments = { production: ofPayments, sandbox: ofPayments }
  const page = settlementsPage({ settlements, accountsOfPayments, formats })
  return { ...openConsole({}, [page]), held: production, settlements: settlements.production }
}

const hold = () => ({
  settlements: { days: [], files: [], lines: [], covered: [], missing: [] } as HeldSettlements,
  writes: [] as string[],
})
