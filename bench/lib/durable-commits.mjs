// What the disk allows: commits of one small row each, one after the other, every one durable.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SECONDS = 2

export function durableCommitsPerSecond() {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-bench-commits-'))
  const connection = new DatabaseSync(path.join(folder, 'commits.db'))
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`)
  const insert = connection.prepare('INSERT INTO rows (text) VALUES (?)')
  const text = 'x'.repeat(300)
  const startedAt = performance.now()
  let commits = 0
  while (performance.now() - startedAt < SECONDS * 1000) {
    insert.run(text)
    commits += 1
  }
  const seconds = (performance.now() - startedAt) / 1000
  connection.close()
  rmSync(folder, { recursive: true })
  return commits / seconds
}
