import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.js'
import { NOTES_MIGRATIONS, type NotesTables } from '../notes.fixture.js'
import { openDatabase } from '../open-database.js'

describe('reads on SQLite', () => {
  let folder: string
  let url: string
  let database: Database<NotesTables>

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-snapshot-'))
    url = `sqlite:${path.join(folder, 'notes.db')}`
    database = await open()
  })
  afterEach(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })

  const open = (): Promise<Database<NotesTables>> =>
    openDatabase<NotesTables>({ url, schema: 'notes', migrations: NOTES_MIGRATIONS })
  const count = async (from = database): Promise<number> =>
    (await from.reader.selectFrom('notes').select('id').execute()).length
  const insert = (id: number): Promise<unknown> =>
    database.transact((trx) => trx.insertInto('notes').values({ id, text: 'note' }).execute())

  it('see in the next turn what another process has committed', async () => {
    const other = await open()
    expect(await count(other)).toBe(0)
    await insert(1)
    await turn()
    expect(await count(other)).toBe(1)
    await other.close()
  })

  it('see what this process has committed as soon as the commit resolves', async () => {
    for (let id = 1; id <= 20; id++) {
      // Begun in the same turn in which the commit ends.
      const reading = turn().then(() => count())
      await insert(id)
      expect(await count()).toBe(id)
      expect(await reading).toBeGreaterThanOrEqual(id - 1)
    }
  })

  it('write nothing, whether a group is open or not', async () => {
    const write = () => database.reader.insertInto('notes').values({ id: 1, text: 'note' })
    await expect(write().execute()).rejects.toThrow('readonly')
    await database.transact(async () => {
      await expect(write().execute()).rejects.toThrow('readonly')
    })
    expect(await count()).toBe(0)
  })

  it('still work after one that failed', async () => {
    const failing = sql`select * from nowhere`.execute(database.reader)
    const [failed, found] = await Promise.allSettled([failing, count()])
    expect([failed.status, found.status]).toEqual(['rejected', 'fulfilled'])
    await insert(1)
    expect(await count()).toBe(1)
  })
})
