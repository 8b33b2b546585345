// Finds the words of names that begin with a person's typed text.
import type { Connection } from '@cofre/sql'
import { sql } from 'kysely'
import type { PaymentTerm } from '../model/payment-terms.js'
import { type GatewayTables, listEverywhere } from '@cofre/gateway/room'
import type { SoughtTerm } from './payment-walk-sql.js'

type Db = Connection<GatewayTables>

/** At least three letters, because two begin too many names. */
const BEGINNING = /^[a-z]{3,}$/
/** The number of words that a search reads at once. */
const WORDS_MAX = 100

/** The terms of a search, and whether they are complete. */
export interface SoughtTerms {
  readonly terms: readonly SoughtTerm[]
  /** True if more words begin so than are searched. */
  readonly isPart: boolean
}

/** The terms; for a word of a name, the words of the store's payers that begin with it. */
export async function soughtTerms(
  reader: Db,
  merchantId: string,
  terms: readonly PaymentTerm[],
): Promise<SoughtTerms> {
  const found = await Promise.all(
    terms.map(async ({ kind, term }) => {
      const isBeginning = kind === 'name' && BEGINNING.test(term)
      const words = isBeginning ? await wordsWith(reader, { merchantId, term }) : []
      const others = words.filter((word) => word !== term)
      return { kind, terms: [term, ...others.slice(0, WORDS_MAX - 1)], others } as const
    }),
  )
  return {
    terms: found.map(({ kind, terms: [term, ...others] }) => ({ kind, terms: [term, ...others] })),
    isPart: found.some(({ others }) => others.length >= WORDS_MAX),
  }
}

interface Beginning {
  readonly merchantId: string
  readonly term: string
}

async function wordsWith(reader: Db, beginning: Beginning): Promise<readonly string[]> {
  const words = await listEverywhere(
    reader,
    (db) => wordsFrom(db, beginning),
    (word) => word,
  )
  return words.toSorted()
}

/** Reads one word after another in the index, regardless of the payments that have it. */
async function wordsFrom(
  reader: Db,
  { merchantId, term: beginning }: Beginning,
): Promise<readonly string[]> {
  const end = behind(beginning)
  const first = reader
    .selectFrom('payment_terms')
    .select(({ fn }) => fn.min<string | null>('term').as('term'))
    .where('merchant_id', '=', merchantId)
    .where('kind', '=', 'name')
    .$if(end !== undefined, (of) => of.where('term', '<', end ?? ''))
  const rows = await reader
    .withRecursive('words', (db) =>
      db.selectNoFrom(first.where('term', '>=', beginning).as('term')).unionAll(
        db
          .selectFrom('words')
          .select(first.where('term', '>', sql.ref<string>('words.term')).as('term'))
          .where('words.term', 'is not', null),
      ),
    )
    .selectFrom('words')
    .select('words.term')
    .limit(WORDS_MAX + 1)
    .execute()
  return rows.flatMap(({ term }) => (term?.startsWith(beginning) === true ? [term] : []))
}

/** The first text after all that begin so; undefined if there is none. */
function behind(beginning: string): string | undefined {
  const last = Array.from(beginning).findLastIndex((letter) => letter !== 'z')
  if (last < 0) return undefined
  return beginning.slice(0, last) + String.fromCharCode(beginning.charCodeAt(last) + 1)
}
