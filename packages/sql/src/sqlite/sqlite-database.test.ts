import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.js'
import { NOTES_MIGRATIONS, type NotesTables } from '../notes.fixture.js'
import { openDatabase } from '../open-database.js'

describe('the file of an SQLite database', () => {
  let folder: string
  let file: string
  let database: Database<NotesTables>

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-file-'))
    file = path.join(folder, 'notes.db')
    const options = { url: `sqlite:${file}`, schema: 'notes', migrations: NOTES_MIGRATIONS }
    database = await openDatabase<NotesTables>(options)
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('has nothing of what was deleted', async () => {
    const notes = [1, 2].map((id) => ({ id, text: `the text of note ${String(id)}` }))
    await database.transact((trx) => trx.insertInto('notes').values(notes).execute())
    await database.transact((trx) => trx.deleteFrom('notes').where('id', '=', 1).execute())
    await database.close()
    const content = readFileSync(file)
    expect(content.includes('text of note 2')).toBe(true)
    expect(content.includes('text of note 1')).toBe(false)
  })

  it('is written by no command between the reading and the writing of a unit of work', async () => {
    const command = new DatabaseSync(file, { timeout: 0 })
    const write = () => {
      command.exec("INSERT INTO notes VALUES (1, 'of the command')")
    }
    await database.transact(async (trx) => {
      expect(await trx.selectFrom('notes').select('id').execute()).toEqual([])
      expect(write).toThrow('locked')
      await trx.insertInto('notes').values({ id: 2, text: 'of the unit' }).execute()
    })
    write()
    command.close()
    expect(await database.reader.selectFrom('notes').select('id').execute()).toHaveLength(2)
    await database.close()
  })
})
