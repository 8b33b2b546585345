import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import {
  Connection,
  type EngineStatement,
  type Statement,
  resultsByName,
} from '../database/connection.js'
import { DamageWatch } from '../errors/damage.js'
import type { Database, DatabaseOptions, Migrations } from '../database/database.js'
import { SQLITE, driverOver } from '../database/dialect.js'
import { isFileThere, makeFolder } from '../files/folder.js'
import { GroupCommit } from './group-commit.js'
import { OlderReleaseError, migrate } from '../database/migrate.js'
import { migrateAlone } from './sqlite-migration.js'
import { namedDamage, recordOpenFile, refuseLostCommits } from './sqlite-damage.js'
import { SQLITE_BUSY, primaryResultCode } from '../errors/sqlite-result-code.js'

const BUSY_TIMEOUT_MS = 5000
const MAKING_PAUSE_MS = 20
/** Pages in the write-ahead log before a checkpoint: fewer, larger checkpoints. */
const CHECKPOINT_PAGES = 10_000
const STATEMENTS_CACHED_MAX = 500
/** A journal to be deleted is gone already: SQLITE_IOERR_DELETE_NOENT, an extended code. */
const JOURNAL_GONE = 5898

/** Opens an SQLite file (created with its folder if absent) and applies the missing migrations. */
export async function openSqliteDatabase<Tables>(
  file: string,
  { attached, migrations }: Pick<DatabaseOptions, 'attached' | 'migrations'>,
): Promise<Database<Tables>> {
  refuseLostCommits(file)
  const damage = new DamageWatch()
  const migratedAlone = await migrateFileAlone(file, migrations)
  const writing = openForWriting(file)
  const closed = recordOpenFile(file)
  const execute = preparing(writing, damage.failed)
  const writer = connectionOver<Tables>(execute, attached)
  const migrated = await migrate({ database: writer, migrations, refuseOthers: isLate }).catch(
    (error: unknown) => {
      writing.close()
      closed()
      throw namedDamage(file, error)
    },
  )

  // A second connection, so that no read sees what a group has not committed. Every commit makes it
  // drop its cached pages. The first keeps its own, and so serves reads while no group is open.
  const reading = new DatabaseSync(file, { readOnly: true })
  reading.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  const readApart = preparing(reading, damage.failed)
  const read: Execute = (statement) =>
    READS.test(statement.sql) && !writing.isTransaction ? execute(statement) : readApart(statement)
  const commits = new GroupCommit((sql) => execute({ sql, parameters: [] }))
  // Units of work run one after another anyway: there is nothing to lock.
  const run = (statement: Statement): QueryResult<never> =>
    statement.lock === undefined ? execute(statement.on('sqlite')) : NO_ROWS

  return {
    dialect: SQLITE,
    migrated: [...migratedAlone, ...migrated],
    damaged: damage.signal,
    reader: connectionOver<Tables>(read, attached),
    transact: (work) => commits.transact(() => work(writer)),
    commit: (statements, begun) =>
      commits.commit(() => {
        begun?.()
        return resultsByName(statements, Object.values(statements).map(run))
      }),
    async close() {
      await commits.idle()
      reading.close()
      writing.close()
      closed()
    },
  }
}

async function migrateFileAlone(file: string, migrations: Migrations): Promise<readonly string[]> {
  try {
    return await migrateAlone(file, migrations, (alone) =>
      connectionOver(
        preparing(alone, () => undefined),
        undefined,
      ),
    )
  } catch (error) {
    throw namedDamage(file, error)
  }
}

/** An older file replaced this one just before its migration. */
const isLate = () => Promise.reject(new OlderReleaseError('its file was replaced just now'))

function openForWriting(file: string): DatabaseSync {
  makeFolder(path.dirname(path.resolve(file)))
  const isNew = !isFileThere(file)
  const writing = new DatabaseSync(file)
  try {
    setUp(writing)
    return writing
  } catch (error) {
    writing.close()
    // A full disk leaves an empty file. The next start would take it for a database that lost
    // everything.
    if (isNew && isFileThere(file) && statSync(file).size === 0) rmSync(file)
    throw namedDamage(file, error)
  }
}

/**
 * Another process may be creating the file at the same moment. SQLite then fails at once, whatever
 * the timeout, while the journal's mode changes.
 */
function setUp(writing: DatabaseSync): void {
  const deadlineMs = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      // Undo data of savepoints is kept in memory: in a file it costs ten times the writes of the
      // commit itself.
      writing.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA secure_delete = ON;
        PRAGMA temp_store = MEMORY`)
      return
    } catch (error) {
      if (!isBeingMade(error) || performance.now() >= deadlineMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MAKING_PAUSE_MS)
    }
  }
}

/** True for the errors of opening a file that another process is creating. */
function isBeingMade(error: unknown): boolean {
  if (primaryResultCode(error) === SQLITE_BUSY) return true
  return error instanceof Error && 'errcode' in error && error.errcode === JOURNAL_GONE
}

/** The beginning of a statement that writes nothing. */
const READS = /^\s*(?:select|with recursive)\b/i

const NO_ROWS: QueryResult<never> = { rows: [] }

type Execute = (statement: EngineStatement) => QueryResult<never>

function connectionOver<Tables>(execute: Execute, attached: unknown): Connection<Tables> {
  // Async, so that what fails rejects and never throws.
  // oxlint-disable-next-line typescript/require-await
  const run = async (statement: EngineStatement) => execute(statement)
  // A process that migrates waits for others that do, before it checks what is missing.
  const driver = driverOver(run, 'begin immediate')
  return new Connection({ engine: 'sqlite', driver, run, attached })
}

/**
 * Runs statements, and prepares each once. All prepared queries are kept, as they are few. Kysely's
 * queries have a text for each length of a list, so only the latest are kept.
 * @param failed - Called with the error of each statement that failed.
 */
function preparing(connection: DatabaseSync, failed: (error: unknown) => void): Execute {
  const queries = new Map<string, Runner>()
  const latest = new Map<string, Runner>()
  const prepared = ({ name, sql }: EngineStatement): Runner => {
    const known = name === undefined ? latest : queries
    const cached = known.get(sql)
    if (cached !== undefined) return cached
    const run = runner(connection.prepare(sql))
    if (latest.size >= STATEMENTS_CACHED_MAX) latest.clear()
    known.set(sql, run)
    return run
  }
  return (statement) => {
    try {
      return prepared(statement)(statement.parameters)
    } catch (error) {
      failed(error)
      throw error
    }
  }
}

type Runner = (parameters: readonly unknown[]) => QueryResult<never>

function runner(statement: StatementSync): Runner {
  const names = statement.columns().map(({ name }) => name)
  if (names.length === 0)
    return (parameters) => {
      const { changes } = statement.run(...(parameters as SQLInputValue[]))
      return { rows: [], numAffectedRows: BigInt(changes) }
    }
  // As arrays: SQLite's row objects have no prototype, and are slow to make and to read.
  statement.setReturnArrays(true)
  return (parameters) => ({
    rows: statement
      .all(...(parameters as SQLInputValue[]))
      .map((values) => namedValues(names, values)) as never[],
  })
}

function namedValues(names: readonly string[], values: unknown): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) row[name] = (values as unknown[])[index]
  return row
}
