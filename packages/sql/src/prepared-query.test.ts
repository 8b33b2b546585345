import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database, Migrations } from './database.js'
import { prepare } from './prepared-query.js'
import { TEST_ENGINES } from './testing.js'

interface Note {
  id: number
  text: string | null
}
interface Tables {
  notes: Note
}
type Db = Kysely<Tables>

const migrations: Migrations = {
  '0001_create_notes': {
    up: (schema) =>
      schema.schema
        .createTable('notes')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('text', 'text')
        .execute(),
  },
}

let built = 0
const insertNote = prepare((db: Db, note: Note) => {
  built += 1
  return db.insertInto('notes').values(note)
})
const findNotes = prepare((db: Db, { after, text }: { after: number; text: string }) =>
  db
    .selectFrom('notes')
    .select(['id', 'text'])
    .where('id', '>', after)
    .where('text', 'in', [text, 'always'])
    .orderBy('id'),
)
const renameNote = prepare((db: Db, { id, text }: Note) =>
  db.updateTable('notes').set({ text }).where('id', '=', id),
)
const renameAndReturn = prepare((db: Db, { id, text }: Note) =>
  db.updateTable('notes').set({ text }).where('id', '=', id).returning(['id', 'text']),
)
const readingWhateverThereIs = [
  prepare((db: Db, { id }: Pick<Note, 'id'>) =>
    db.selectFrom('notes').selectAll().where('id', '=', id),
  ),
  prepare((db: Db, { id }: Pick<Note, 'id'>) =>
    db.selectFrom('notes').select('id').selectAll('notes').where('id', '=', id),
  ),
  prepare((db: Db, { id }: Pick<Note, 'id'>) =>
    db.deleteFrom('notes').where('id', '=', id).returningAll(),
  ),
]

for (const engine of TEST_ENGINES) {
  describe(`a prepared query on ${engine.name}`, () => {
    let database: Database<Tables>
    beforeEach(async () => {
      built = 0
      database = await engine.open<Tables>(migrations)
    })
    afterEach(() => database.close())

    const insert = (id: number, text: string | null): Promise<number> =>
      database.transact((unit) => insertNote.write(unit, { id, text }))
    const ids = async (): Promise<number[]> =>
      (await database.reader.selectFrom('notes').select('id').orderBy('id').execute()).map(
        ({ id }) => id,
      )

    it('takes the values of each call, null among them', async () => {
      await insert(1, 'one')
      await insert(2, null)
      await insert(3, 'always')
      const found = [
        { id: 1, text: 'one' },
        { id: 3, text: 'always' },
      ]
      expect(await findNotes.all(database.reader, { after: 0, text: 'one' })).toEqual(found)
      expect(await findNotes.first(database.reader, { after: 1, text: 'two' })).toEqual(found[1])
      expect(await findNotes.first(database.reader, { after: 3, text: 'one' })).toBeUndefined()
    })

    it('counts the rows that it wrote', async () => {
      await insert(1, 'one')
      const rename = (id: number) =>
        database.transact((unit) => renameNote.write(unit, { id, text: 'other' }))
      expect([await rename(1), await rename(2)]).toEqual([1, 0])
    })

    it('is built once for a connection, not once for a call', async () => {
      for (let id = 1; id <= 5; id++) await insert(id, 'note')
      expect(built).toBe(1)
    })

    it('answers several at once, in a unit of work and outside', async () => {
      await database.transact(async (unit) => {
        const written = [1, 2, 3].map((id) => insertNote.write(unit, { id, text: `note ${id}` }))
        expect(await Promise.all(written)).toEqual([1, 1, 1])
      })
      const found = [1, 2, 3].map((id) =>
        findNotes.first(database.reader, { after: 0, text: `note ${id}` }),
      )
      expect((await Promise.all(found)).map((note) => note?.id)).toEqual([1, 2, 3])
    })

    it('refuses a call without one of its values', async () => {
      await database.transact(async (unit) => {
        await insertNote.write(unit, { id: 1, text: 'one' })
        const incomplete = insertNote.write(unit, { id: 2 } as Note)
        await expect(incomplete).rejects.toThrow('no value for text')
      })
    })

    it('writes later, before the unit of work is committed', async () => {
      await database.transact((unit) => {
        insertNote.later(unit, { id: 1, text: 'one' })
        renameNote.later(unit, { id: 1, text: 'two' })
        return Promise.resolve()
      })
      expect(await findNotes.first(database.reader, { after: 0, text: 'two' })).toBeDefined()
    })

    it('that fails later fails its unit of work, all of it and no other', async () => {
      await insert(1, 'one')
      const units = await Promise.allSettled([
        database.transact(async (unit) => {
          await insertNote.write(unit, { id: 2, text: 'lost' })
          insertNote.later(unit, { id: 1, text: 'taken' })
        }),
        insert(3, 'three'),
      ])
      expect(units.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
      expect(await ids()).toEqual([1, 3])
    })

    it('goes on where another process has added a column', async () => {
      await insert(1, 'one')
      const rename = (text: string) =>
        database.transact((unit) => renameAndReturn.first(unit, { id: 1, text }))
      await rename('always')
      await findNotes.all(database.reader, { after: 0, text: 'one' })
      await database.transact((unit) => sql`alter table notes add column more text`.execute(unit))
      const note = { id: 1, text: 'always' }
      expect(await rename('always')).toEqual(note)
      expect(await findNotes.all(database.reader, { after: 0, text: 'one' })).toEqual([note])
    })

    it.each(readingWhateverThereIs)(
      'refuses to read columns that it does not name',
      async (query) => {
        const reading = database.transact((unit) => query.all(unit, { id: 1 }))
        await expect(reading).rejects.toThrow('names the columns')
      },
    )

    it('refuses what is not one of a Database’s own', async () => {
      const derived = database.reader.withSchema('other')
      await expect(insertNote.write(derived, { id: 1, text: null })).rejects.toThrow('Database')
    })

    it('has nothing later outside a unit of work', () => {
      expect(() => {
        insertNote.later(database.reader, { id: 1, text: null })
      }).toThrow()
    })
  })
}
