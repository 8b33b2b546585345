import { readFileSync, readdirSync } from 'node:fs'
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migrations } from './database.js'
import type { Engine } from './dialect.js'

const FILE_NAME = /^(?<name>\d{4}_\w+)\.sql$/
const STATEMENT_END = /;$/m
/** Begins the comment above a statement that SQLite leaves out. */
const POSTGRES_ONLY = /^-- On PostgreSQL only\b/m
/** Begins a file that PostgreSQL leaves out. */
const SQLITE_ONLY = /^-- On SQLite only\b/
/**
 * Begins a file that can only be applied while no process of an older release uses the database.
 */
const ALONE = /^-- Alone\b/m
/** Begins the comment above a table that SQLite stores only once, in the order of its key. */
const WITHOUT_ROWID = /^-- Without rowid on SQLite\b/m

/**
 * Reads the migrations of a folder. Each is a file of SQL statements, the same for both engines
 * except for those that a comment reserves for one. A released file is never edited.
 */
export function readMigrations(folder: URL): Migrations {
  const migrations = readdirSync(folder)
    .toSorted()
    .map((file) => {
      const name = FILE_NAME.exec(file)?.groups?.name
      if (name === undefined)
        throw new Error(`${file} is not named like a migration: 0001_name.sql`)
      const text = readFileSync(new URL(file, folder), 'utf8')
      const up = (database: Kysely<unknown>) => runStatements(database, text)
      return [name, { up, isAlone: ALONE.test(text) }] as const
    })
  return Object.fromEntries(migrations)
}

async function runStatements(database: Kysely<unknown>, text: string): Promise<void> {
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter
  const statements = migrationOn(isPostgres ? 'postgres' : 'sqlite', text).split(STATEMENT_END)
  for (const statement of statements)
    if (statement.trim() !== '') await sql.raw(statement).execute(database)
}

/** A migration's text for one engine. */
export function migrationOn(engine: Engine, text: string): string {
  if (engine === 'postgres') return SQLITE_ONLY.test(text) ? '' : text
  return text
    .split(STATEMENT_END)
    .filter((statement) => !POSTGRES_ONLY.test(statement))
    .map((statement) => (WITHOUT_ROWID.test(statement) ? `${statement} without rowid` : statement))
    .join(';')
}
