import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copySqliteFile } from './sqlite-copy.js'

describe('copySqliteFile', () => {
  let folder: string
  let live: DatabaseSync
  const file = (name: string): string => path.join(folder, name)
  const countIn = (name: string): unknown => {
    const copy = new DatabaseSync(file(name), { readOnly: true })
    const counted = copy.prepare('SELECT count(*) AS n FROM cards').get()?.n
    copy.close()
    return counted
  }

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-copy-'))
    live = new DatabaseSync(file('live.db'))
    live.exec('PRAGMA journal_mode = WAL; CREATE TABLE cards (sealed TEXT)')
    live.exec("INSERT INTO cards VALUES ('the first'), ('the second')")
  })
  afterEach(() => {
    live.close()
    rmSync(folder, { recursive: true })
  })

  it('holds what was committed, and nothing of a transaction under way', () => {
    live.exec("BEGIN; INSERT INTO cards VALUES ('not yet')")
    copySqliteFile(file('live.db'), file('backup/copy.db'))
    live.exec('COMMIT')
    expect(countIn('backup/copy.db')).toBe(2)
    expect(countIn('live.db')).toBe(3)
    expect(readdirSync(file('backup'))).toEqual(['copy.db'])
  })

  it('leaves what was erased behind', () => {
    live.exec("PRAGMA secure_delete = OFF; DELETE FROM cards WHERE sealed = 'the first'")
    copySqliteFile(file('live.db'), file('copy.db'))
    expect(readFileSync(file('copy.db')).includes('the first')).toBe(false)
    expect(readFileSync(file('copy.db')).includes('the second')).toBe(true)
  })

  it('does not overwrite an older copy', () => {
    writeFileSync(file('copy.db'), 'older')
    expect(() => {
      copySqliteFile(file('live.db'), file('copy.db'))
    }).toThrow('exists already')
    expect(readFileSync(file('copy.db'), 'utf8')).toBe('older')
  })

  it('leaves nothing behind when it fails', () => {
    writeFileSync(file('broken.db'), 'this is no database, although it is long enough to be read')
    expect(() => {
      copySqliteFile(file('broken.db'), file('copy.db'))
    }).toThrow()
    expect(existsSync(file('copy.db'))).toBe(false)
    expect(existsSync(file('copy.db.unfinished'))).toBe(false)
  })
})
