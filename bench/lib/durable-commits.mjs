// What the disk and the server allow: commits of one small row each, one after the other, every one
// durable.
import './cleanup.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

const SECONDS = 1
const TEXT = 'x'.repeat(300)

/** On SQLite, once more with each call. `close` ends it. */
export function openSqliteCommits() {
  const folder = mkdtempSync(path.join(tmpdir(), 'commits-'))
  const connection = new DatabaseSync(path.join(folder, 'commits.db'))
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`)
  const insert = connection.prepare('INSERT INTO rows (text) VALUES (?)')
  return {
    perSecond: () => countedPerSecond(() => insert.run(TEXT)),
    close() {
      connection.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** On a PostgreSQL server, over one connection: an insert is its own transaction. */
export async function openPostgresCommits({ url }) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create table commits (id bigserial primary key, text text not null)')
  const insert = { name: 'insert', text: 'insert into commits (text) values ($1)', values: [TEXT] }
  return {
    perSecond: () => countedPerSecond(() => client.query(insert)),
    close: () => client.end(),
  }
}

async function countedPerSecond(commit) {
  const startedAt = performance.now()
  let commits = 0
  while (performance.now() - startedAt < SECONDS * 1000) {
    await commit()
    commits += 1
  }
  return (commits * 1000) / (performance.now() - startedAt)
}
