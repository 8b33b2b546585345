import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../files/folder.js'
import { checkSqlitePages, namedDamage, refuseLostCommits } from './sqlite-damage.js'

const BUSY_TIMEOUT_MS = 5000

/**
 * Copies an SQLite database as of one moment, while others read and write it. The copy is complete,
 * checked and on disk once it has its name. It holds no erased values, because free pages are left
 * out. Runs no migration.
 * @throws DamagedDatabaseError, an error when the target exists, and SQLite's error
 */
export function copySqliteFile(from: string, to: string): void {
  if (existsSync(to)) throw new Error(`${to} exists already`)
  makeFolder(path.dirname(path.resolve(to)))
  refuseLostCommits(from)
  const unfinished = `${to}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    const database = new DatabaseSync(from, { readOnly: true })
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      database.prepare('VACUUM INTO ?').run(unfinished)
    } catch (error) {
      throw namedDamage(from, error)
    } finally {
      database.close()
    }
    checkSqlitePages(unfinished, 'full')
    flush(unfinished)
    renameSync(unfinished, to)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function flush(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
