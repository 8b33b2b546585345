import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from './database/database.js'
import { NOTES_MIGRATIONS, type NotesTables } from './notes.fixture.js'
import { TEST_ENGINES } from './testing.js'

for (const engine of TEST_ENGINES) {
  describe(`Database on ${engine.name}`, () => {
    let database: Database<NotesTables>

    beforeEach(async () => {
      database = await engine.open<NotesTables>(NOTES_MIGRATIONS)
    })
    afterEach(() => database.close())

    const insert = (id: number): Promise<unknown> =>
      database.transact((trx) =>
        trx
          .insertInto('notes')
          .values({ id, text: `note ${id}` })
          .execute(),
      )
    const ids = async (): Promise<number[]> =>
      (await database.reader.selectFrom('notes').select('id').orderBy('id').execute()).map(
        ({ id }) => id,
      )

    it('shows a unit of work to the reader once it is committed', async () => {
      await insert(1)
      expect(await ids()).toEqual([1])
    })

    it('resolves a unit of work once the disk has it, as far as the engine can ensure that', async () => {
      const durability = await database.transact(async (trx) => {
        if (engine.name === 'sqlite') {
          const { rows: journal } = await sql`pragma journal_mode`.execute(trx)
          const { rows: synchronous } = await sql`pragma synchronous`.execute(trx)
          return [...journal, ...synchronous]
        }
        // The tests' server is configured not to wait. Our connections must not set this
        // themselves.
        const { rows } = await sql`select name, source from pg_settings
          where name in ('synchronous_commit', 'fsync') order by name`.execute(trx)
        return rows
      })
      expect(durability).toEqual(
        engine.name === 'sqlite'
          ? [{ journal_mode: 'wal' }, { synchronous: 2 }]
          : ['fsync', 'synchronous_commit'].map((name) => ({ name, source: 'command line' })),
      )
    })

    it('undoes a unit of work that fails, all of it', async () => {
      const failing = database.transact(async (trx) => {
        await trx.insertInto('notes').values({ id: 1, text: 'lost' }).execute()
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await ids()).toEqual([])
    })

    it('keeps the neighbours of a unit of work that fails', async () => {
      await insert(3)
      const results = await Promise.allSettled([insert(1), insert(2), insert(3), insert(4)])
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
      ])
      expect(await ids()).toEqual([1, 2, 3, 4])
    })

    it('runs many concurrent units of work, each once', async () => {
      await Promise.all(Array.from({ length: 300 }, (_, id) => insert(id)))
      expect(await ids()).toHaveLength(300)
    })

    it('reads rows for an update', async () => {
      await insert(1)
      const { text } = await database.transact((trx) =>
        trx
          .selectFrom('notes')
          .select('text')
          .where('id', '=', 1)
          .forUpdate()
          .skipLocked()
          .executeTakeFirstOrThrow(),
      )
      expect(text).toBe('note 1')
    })

    it('reads integers beyond 32 bits as numbers', async () => {
      await insert(999_999_999_999_999)
      expect(await ids()).toEqual([999_999_999_999_999])
    })

    it('does not show the reader what is not committed', async () => {
      let seen: number[] = []
      await database.transact(async (trx) => {
        await trx.insertInto('notes').values({ id: 1, text: 'soon' }).execute()
        seen = await ids()
      })
      expect(seen).toEqual([])
    })

    it('answers concurrent writers of one row one after the other', async () => {
      await insert(1)
      await Promise.all(
        Array.from({ length: 20 }, () =>
          database.transact((trx) =>
            trx
              .updateTable('notes')
              .set({ text: sql`text || '.'` })
              .where('id', '=', 1)
              .execute(),
          ),
        ),
      )
      const note = await database.reader.selectFrom('notes').selectAll().executeTakeFirstOrThrow()
      expect(note.text).toBe(`note 1${'.'.repeat(20)}`)
    })
  })
}
