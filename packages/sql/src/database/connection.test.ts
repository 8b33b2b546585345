import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Connection } from './connection.js'
import type { Database, Migrations } from './database.js'
import { prepare } from './connection.js'
import { TEST_ENGINES } from '../testing.js'

interface Note {
  id: number
  text: string | null
}
interface Tables {
  notes: Note
}
type Db = Connection<Tables>

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

const insertNote = prepare((db: Db, note: Note) => db.insertInto('notes').values(note))
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

// @ts-expect-error -- the first call would decide whether an optional value is in the SQL
prepare((db: Db, note: { id: number; text?: string }) => db.insertInto('notes').values(note))

for (const engine of TEST_ENGINES) {
  describe(`a prepared query on ${engine.name}`, () => {
    let database: Database<Tables>
    beforeEach(async () => {
      database = await engine.open<Tables>(migrations)
    })
    afterEach(() => database.close())

    const insert = (id: number, text: string | null) =>
      database.transact((trx) => trx.run(insertNote({ id, text })))
    const find = async (values: { after: number; text: string }) =>
      (await database.reader.run(findNotes(values))).rows
    const ids = async (): Promise<number[]> =>
      (await database.reader.selectFrom('notes').select('id').orderBy('id').execute()).map(
        ({ id }) => id,
      )

    it('is kept by its text if workers search with it again and again', async () => {
      await insert(1, 'one')
      await insert(2, 'two')
      const after = (id: number) =>
        database.reader.selectFrom('notes').select('text').where('id', '>', id).orderBy('id')
      expect(await database.reader.poll(after(0))).toEqual([{ text: 'one' }, { text: 'two' }])
      expect(await database.reader.poll(after(1))).toEqual([{ text: 'two' }])
    })

    it('takes the values of each call, null among them', async () => {
      await insert(1, 'one')
      await insert(2, null)
      await insert(3, 'always')
      const found = [
        { id: 1, text: 'one' },
        { id: 3, text: 'always' },
      ]
      expect(await find({ after: 0, text: 'one' })).toEqual(found)
      expect(await find({ after: 1, text: 'two' })).toEqual(found.slice(1))
      expect(await find({ after: 3, text: 'one' })).toEqual([])
    })

    it('counts the rows that it wrote', async () => {
      await insert(1, 'one')
      const rename = (id: number) =>
        database.transact(async (trx) => (await trx.run(renameNote({ id, text: 'other' }))).written)
      expect([await rename(1), await rename(2)]).toEqual([1, 0])
    })

    it('asks other tables through one connection, however often it is asked to', async () => {
      const names = new Map([['notes', 'other_notes']])
      await database.transact((trx) =>
        trx.schema
          .createTable('other_notes')
          .addColumn('id', 'bigint')
          .addColumn('text', 'text')
          .execute(),
      )
      const renamed = database.reader.renamed(names)
      expect(await renamed.selectFrom('notes').selectAll().execute()).toEqual([])
      expect(database.reader.renamed(names)).toBe(renamed)
    })

    it('carries what the database was opened with, in units of work and by other names', async () => {
      const attached = ['carried']
      const opened = await engine.open<Tables>(migrations, attached)
      const ofUnit = await opened.transact((trx) =>
        Promise.resolve(trx.renamed(new Map()).attached),
      )
      expect([opened.reader.attached, ofUnit]).toEqual([attached, attached])
      expect(database.reader.attached).toBeUndefined()
      await opened.close()
    })

    it('has the constants of its query in the SQL, so that partial indexes fit', async () => {
      const find = prepare((db: Db, { id }: Pick<Note, 'id'>) =>
        db
          .selectFrom('notes')
          .select('id')
          .where('id', '=', id)
          .where('text', '=', "it's")
          .limit(7),
      )
      const { sql: text, parameters } = find({ id: 1 }).on(database.reader.engine)
      expect(text).toContain(`"text" = 'it''s' limit 7`)
      expect(parameters).toEqual([1])
      await insert(1, "it's")
      expect((await database.reader.run(find({ id: 1 }))).rows).toEqual([{ id: 1 }])
    })

    it('limits its rows by a value of each call', async () => {
      const first = prepare((db: Db, { most }: { readonly most: number }) =>
        db.selectFrom('notes').select('id').orderBy('id').limit(most),
      )
      for (const id of [1, 2, 3]) await insert(id, 'note')
      const read = async (most: number) => (await database.reader.run(first({ most }))).rows.length
      expect([await read(1), await read(5), await read(2)]).toEqual([1, 3, 2])
      // With a bare parameter, SQLite would prepare it anew at each run.
      const { sql: text } = first({ most: 1 }).on('sqlite')
      expect(text).toMatch(/limit \? \+ 0$/)
    })

    it('is built once for an engine, not once for a call', async () => {
      let built = 0
      const findOne = prepare((db: Db, { id }: Pick<Note, 'id'>) => {
        built += 1
        return db.selectFrom('notes').select('id').where('id', '=', id)
      })
      for (let id = 1; id <= 5; id++) await database.reader.run(findOne({ id }))
      expect(built).toBe(1)
    })

    it('answers several at once, in a unit of work and outside', async () => {
      await database.transact(async (trx) => {
        const written = [1, 2, 3].map((id) => trx.run(insertNote({ id, text: `note ${id}` })))
        expect((await Promise.all(written)).map((each) => each.written)).toEqual([1, 1, 1])
      })
      const found = [1, 2, 3].map((id) => find({ after: 0, text: `note ${id}` }))
      expect((await Promise.all(found)).map(([note]) => note?.id)).toEqual([1, 2, 3])
    })

    it('refuses a call without one of its values', async () => {
      await database.transact(async (trx) => {
        await trx.run(insertNote({ id: 1, text: 'one' }))
        const incomplete = trx.run(insertNote({ id: 2 } as Note))
        await expect(incomplete).rejects.toThrow('no value for text')
      })
    })

    it('that fails beside others fails its unit of work, all of it and no other', async () => {
      await insert(1, 'one')
      const works = await Promise.allSettled([
        database.transact((trx) =>
          Promise.all([
            trx.run(insertNote({ id: 2, text: 'lost' })),
            trx.run(insertNote({ id: 1, text: 'taken' })),
          ]),
        ),
        insert(3, 'three'),
      ])
      expect(works.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
      expect(await ids()).toEqual([1, 3])
    })

    it('still runs after another process has added a column', async () => {
      await insert(1, 'one')
      const rename = (text: string) =>
        database.transact(async (trx) => (await trx.run(renameAndReturn({ id: 1, text }))).rows[0])
      await rename('always')
      await find({ after: 0, text: 'one' })
      await database.transact((trx) => sql`alter table notes add column more text`.execute(trx))
      const note = { id: 1, text: 'always' }
      expect(await rename('always')).toEqual(note)
      expect(await find({ after: 0, text: 'one' })).toEqual([note])
    })

    it.each(readingWhateverThereIs)(
      'refuses to read columns that it does not name',
      async (query) => {
        const reading = database.transact((trx) => trx.run<unknown>(query({ id: 1 })))
        await expect(reading).rejects.toThrow('names the columns')
      },
    )
  })
}
