import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Database } from './database/database.js'
import { StatementBatch } from './postgres/statement-batch.js'
import {
  type PlanReader,
  type Read,
  type TableIndex,
  planReaderOf,
} from './testing-plan-readers.js'

const QUERY = /^\s*(?:select|insert|update|delete|with)\b/i

type Prepare = (this: DatabaseSync, text: string) => StatementSync
type Asked = string | pg.QueryConfig | StatementBatch
type Send = (this: pg.Client, ...query: readonly [Asked]) => unknown

/**
 * Records every query that is sent to PostgreSQL, or prepared on SQLite, by Kysely or without it,
 * until it is stopped. SQLite prepares each query once.
 */
export function recordQueries(): {
  readonly texts: ReadonlySet<string>
  readonly stop: () => void
} {
  const texts = new Set<string>()
  const keep = (text: string): void => {
    if (QUERY.test(text)) texts.add(text)
  }
  const sqlite = DatabaseSync.prototype as { prepare: Prepare }
  const postgres = pg.Client.prototype as unknown as { query: Send }
  const { prepare } = sqlite
  const { query } = postgres
  sqlite.prepare = function (text) {
    keep(text)
    return prepare.call(this, text)
  }
  postgres.query = function (...asked) {
    for (const text of textsOf(...asked)) keep(text)
    return query.apply(this, asked)
  }
  return {
    texts,
    stop: () => {
      sqlite.prepare = prepare
      postgres.query = query
    },
  }
}

function textsOf(asked: Asked): readonly string[] {
  if (typeof asked === 'string') return [asked]
  if (asked instanceof StatementBatch) return asked.statements.map(({ sql: text }) => text)
  return [asked.text]
}

/** Tables that no query may read whole. */
export interface GrowingTables {
  readonly tables: readonly string[]
  /** The column that names the store: all rows of one store count as all rows. */
  readonly storeColumn?: string
}

/**
 * The queries whose plan reads one of the tables, or all rows of one store, from end to end.
 * Reading a whole partial index is no scan of the table: the index is small.
 */
export function queriesThatScan<Tables>(
  database: Database<Tables>,
  queries: ReadonlySet<string>,
  growing: GrowingTables,
): Promise<string[]> {
  return undone(database, async (trx) => {
    const reader = planReaderOf(database, trx)
    await reader.pretendLarge(growing.tables)
    return await scanning(reader, queries, growing)
  })
}

/** Indexes of the tables that prevent no scan: nothing shows what they are for. */
export async function indexesNotNeeded<Tables>(
  database: Database<Tables>,
  queries: ReadonlySet<string>,
  growing: GrowingTables,
): Promise<string[]> {
  return undone(database, async (trx) => {
    const reader = planReaderOf(database, trx)
    await reader.pretendLarge(growing.tables)
    const scanningAnyway = await scanning(reader, queries, growing)
    const notNeeded: string[] = []
    for (const { name, table, isOfConstraint } of await reader.indexes()) {
      if (isOfConstraint || !growing.tables.includes(table)) continue
      const asked = new Set([...queries].filter((text) => text.includes(table)))
      const before = scanningAnyway.filter((text) => asked.has(text))
      await sql`savepoint with_index`.execute(trx)
      await sql`drop index ${sql.ref(name)}`.execute(trx)
      if ((await scanning(reader, asked, growing)).length === before.length) notNeeded.push(name)
      await sql`rollback to with_index`.execute(trx)
    }
    return notNeeded
  })
}

/** Runs a unit of work, and undoes what it did. */
async function undone<Tables, T>(
  database: Database<Tables>,
  work: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const results: T[] = []
  const undoing = new Error('undone')
  await database
    .transact(async (trx) => {
      results.push(await work(trx))
      throw undoing
    })
    .catch((error: unknown) => {
      if (error !== undoing) throw error
    })
  return results[0] as T
}

async function scanning(
  reader: PlanReader,
  queries: ReadonlySet<string>,
  growing: GrowingTables,
): Promise<string[]> {
  const indexes = await reader.indexes()
  const found: string[] = []
  for (const text of queries) {
    if (!growing.tables.some((table) => text.includes(table))) continue
    if ((await reader.readsOf(text)).some((read) => isWhole(read, growing, indexes)))
      found.push(text)
  }
  return found
}

function isWhole(
  { table, index, bound, stopsEarly }: Read,
  { tables, storeColumn }: GrowingTables,
  indexes: readonly TableIndex[],
): boolean {
  if (!tables.includes(table)) return false
  const known = indexes.find(({ name }) => name === index)
  if (known?.isPartial === true) return false
  if (bound.length === 0) return true
  // PostgreSQL can search by a later column of an index, but then reads all of it.
  if (known !== undefined && !bound.includes(known.leadingColumn)) return true
  return bound.every((column) => column === storeColumn) && !stopsEarly
}
