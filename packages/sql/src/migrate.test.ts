import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Migrations } from './database.js'
import { NOTES_MIGRATIONS, type NotesTables } from './notes.fixture.js'
import { openDatabase } from './open-database.js'

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
})
