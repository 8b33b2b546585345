import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Migrations } from './database.js'
import { NOTES_MIGRATIONS, type NotesTables } from '../notes.fixture.js'
import { openDatabase } from '../open-database.js'

const MODULE = new URL('../../dist/open-database.js', import.meta.url).href
const PROCESSES = 6

/** Opens a new database with some migrations, at a moment that all processes share. */
const openingAt = (url: string, atMs: number): string => `
  const { openDatabase } = await import(${JSON.stringify(MODULE)})
  const create = (name) => ({
    up: (db) => db.schema.createTable(name).addColumn('id', 'integer').execute(),
  })
  const names = Array.from({ length: 20 }, (_, i) => 'table_' + (10 + i))
  const migrations = Object.fromEntries(names.map((name) => [name, create(name)]))
  await new Promise((resolve) => setTimeout(resolve, ${atMs} - Date.now()))
  const database = await openDatabase({ url: '${url}', schema: 'test', migrations })
  process.stdout.write(String(database.migrated.length))
  await database.close()
`

describe('Migrations of an SQLite database', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-migrate-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const open = (migrations: Migrations) =>
    openDatabase<NotesTables>({
      url: `sqlite:${path.join(folder, 'notes.db')}`,
      schema: 'test',
      migrations,
    })

  const createDrafts = (schema: Kysely<unknown>): Promise<void> =>
    schema.schema.createTable('drafts').addColumn('id', 'bigint').execute()

  it('that were interrupted leave nothing behind, so that the next start applies them', async () => {
    await (await open(NOTES_MIGRATIONS)).close()
    const interrupted = async (schema: Kysely<unknown>): Promise<void> => {
      await createDrafts(schema)
      throw new Error('the disk is full')
    }
    await expect(
      open({ ...NOTES_MIGRATIONS, '0002_create_drafts': { up: interrupted } }),
    ).rejects.toThrow('the disk is full')
    const database = await open({ ...NOTES_MIGRATIONS, '0002_create_drafts': { up: createDrafts } })
    expect(database.migrated).toEqual(['0002_create_drafts'])
    await database.close()
  })

  it('are looked for without waiting for another writer', async () => {
    const file = path.join(folder, 'busy.db')
    const options = { url: `sqlite:${file}`, schema: 'test', migrations: NOTES_MIGRATIONS }
    await (await openDatabase(options)).close()
    const writer = new DatabaseSync(file)
    writer.exec('BEGIN IMMEDIATE')
    const database = await openDatabase(options)
    expect(database.migrated).toEqual([])
    await database.close()
    writer.close()
  })

  it('are applied once where several processes open it at the same moment', async () => {
    const script = openingAt(`sqlite:${path.join(folder, 'new.db')}`, Date.now() + 1500)
    const run = async (): Promise<string> => {
      const args = ['--input-type=module', '-e', script]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      return stdout
    }
    const migrated = await Promise.all(Array.from({ length: PROCESSES }, run))
    expect(migrated.toSorted()).toEqual([...Array<string>(PROCESSES - 1).fill('0'), '20'])
  })
})
