import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Database } from './database.js'

const QUERY = /^\s*(?:select|insert|update|delete|with)\b/i

type Prepare = (this: DatabaseSync, text: string) => StatementSync
type Send = (this: pg.Client, ...query: readonly [string | pg.QueryConfig]) => unknown

/**
 * Remembers every query that is sent to PostgreSQL or prepared on SQLite, where each is prepared once, until it is stopped: by
 * Kysely or past it.
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
    const [config] = asked
    keep(typeof config === 'string' ? config : config.text)
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

/**
 * The queries that read one of the tables from end to end, by the engine's own plan. An index over a part of a table is as small as
 * that part: reading all of it is no scan of the table.
 */
export async function queriesThatScan<Tables>(
  database: Database<Tables>,
  queries: ReadonlySet<string>,
  tables: readonly string[],
): Promise<string[]> {
  const scanning: string[] = []
  for (const text of queries) {
    const isScan =
      tables.some((table) => text.includes(table)) && (await scans(database, text, tables))
    if (isScan) scanning.push(text)
  }
  return scanning
}

async function scans<Tables>(
  database: Database<Tables>,
  text: string,
  tables: readonly string[],
): Promise<boolean> {
  if (database.dialect.engine === 'sqlite') return await scansSqlite(database.reader, text, tables)
  return await database.transact(async (unit) => {
    // On a small table PostgreSQL prefers to read all of it.
    await sql`set local enable_seqscan = off`.execute(unit)
    const explained = await sql<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>`
      explain (generic_plan, format json) ${sql.raw(text)}`.execute(unit)
    const partial = await partialIndexes(unit)
    const [plan] = explained.rows[0]?.['QUERY PLAN'] ?? []
    return nodesOf(plan?.Plan).some(
      (node) => tables.includes(node['Relation Name'] ?? '') && isWholeScan(node, partial),
    )
  })
}

async function scansSqlite<Tables>(
  reader: Kysely<Tables>,
  text: string,
  tables: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(
    reader,
  )
  const indexes = await sql<{ name: string }>`
    select name from sqlite_master where type = 'index' and sql like '% where %'`.execute(reader)
  return rows.some(({ detail }) => {
    const { table = '', index = '' } =
      /^SCAN (?<table>\w+)(?: USING (?:COVERING )?INDEX (?<index>\w+))?/.exec(detail)?.groups ?? {}
    const isPart = indexes.rows.some(({ name }) => name === index)
    return tables.includes(table) && !isPart
  })
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

function nodesOf(node: PlanNode | undefined): PlanNode[] {
  return node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** A bitmap's own scan of the table reads what the scans of indexes below it have found. */
function isWholeScan(node: PlanNode, partialIndexes: readonly string[]): boolean {
  const type = node['Node Type']
  if (type === 'Seq Scan') return true
  const isIndexScan = type === 'Index Scan' || type === 'Index Only Scan'
  return (
    isIndexScan &&
    node['Index Cond'] === undefined &&
    !partialIndexes.includes(node['Index Name'] ?? '')
  )
}

async function partialIndexes<Tables>(unit: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ indexname: string }>`
    select indexname from pg_indexes where schemaname = current_schema() and indexdef like '% WHERE %'
  `.execute(unit)
  return rows.map(({ indexname }) => indexname)
}
