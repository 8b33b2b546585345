import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Database, migrationOn } from '@cofre/sql'
import { sql } from 'kysely'
import { ROOT } from '../packed-packages.js'

/** The databases of an installation. */
export const PARTS = ['gateway', 'vault', 'sandbox'] as const
export type Part = (typeof PARTS)[number]
export type EngineName = 'sqlite' | 'postgres'

const FOLDER = import.meta.dirname
const VERSION = /^\d+\.\d+\.\d+$/

/** The key that wraps all recorded data, as text: `id:key`. */
export const PUBLIC_TEST_KEY = readFileSync(path.join(FOLDER, 'public-test-key'), 'utf8').trim()

/** Versions with recorded data, oldest first. */
export function recordedVersions(): readonly string[] {
  return readdirSync(FOLDER).filter((name) => VERSION.test(name))
}

export function readRelease(version: string, part: Part, engine: EngineName): string {
  return readFileSync(path.join(FOLDER, version, `${part}.${engine}.sql`), 'utf8')
}

/** Stores the data of a release. @throws if that version has data already */
export function writeRelease(version: string, texts: ReadonlyMap<string, string>): void {
  const folder = path.join(FOLDER, version)
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of texts) {
    const file = path.join(folder, `${name}.sql`)
    if (existsSync(file)) throw new Error(`${file} is there: a release is recorded once`)
    writeFileSync(file, text)
  }
}

/** The migrations of a part by name, as an engine runs them. */
export function migrationTexts(part: Part, engine: EngineName): ReadonlyMap<string, string> {
  const folder = path.join(ROOT, 'packages', part, 'migrations')
  return new Map(
    readdirSync(folder).map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8')
      return [path.basename(file, '.sql'), migrationOn(engine, text)]
    }),
  )
}

const MIGRATION_TABLES = `create table kysely_migration
  (name varchar(255) primary key, timestamp varchar(255) not null);
create table kysely_migration_lock
  (id varchar(255) primary key, is_locked integer not null default 0);
`

/** All of a database as SQL: the migrations that created its tables, then its rows. */
export async function dump<Tables>(
  { reader, dialect }: Database<Tables>,
  part: Part,
): Promise<string> {
  const migrations = [...migrationTexts(part, dialect.engine).values()]
  const tables = tablesInOrder(migrations.join('\n'))
  const rows = await Promise.all(
    tables.map(async (table) => {
      const found = await sql<
        Readonly<Record<string, unknown>>
      >`select * from ${sql.table(table)}`.execute(reader)
      return [`delete from ${table};\n`, ...found.rows.map((row) => insertOf(table, row))].join('')
    }),
  )
  return [MIGRATION_TABLES, ...migrations, ...rows].join('\n')
}

/** Tables in order of creation, so that referenced tables come first. */
function tablesInOrder(migrations: string): string[] {
  const named = (pattern: RegExp) => [...migrations.matchAll(pattern)].map(([, name = '']) => name)
  const renamed = named(/^alter table (\w+) rename to/gm)
  const made = named(/^create table (\w+)/gm).filter((name) => !renamed.includes(name))
  return ['kysely_migration', 'kysely_migration_lock', ...made]
}

function insertOf(table: string, row: Readonly<Record<string, unknown>>): string {
  const values = Object.values(row).map(literalOf)
  return `insert into ${table} (${Object.keys(row).join(', ')})\n  values (${values.join(', ')});\n`
}

function literalOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  throw new Error(`a column of type ${typeof value} is not known`)
}
