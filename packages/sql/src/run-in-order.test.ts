import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Connection, prepare } from './database/connection.js'
import { unitDatabase } from './database/unit-database.js'
import { NOTES_MIGRATIONS, type Note, type NotesTables } from './notes.fixture.js'
import { TEST_ENGINES, type TestEngine } from './testing.js'

type Db = Connection<NotesTables>

const insert = prepare((db: Db, note: Note) => db.insertInto('notes').values(note))
const append = prepare((db: Db, { id, text }: Note) =>
  db
    .updateTable('notes')
    .set({ text: sql`text || cast(${text} as text)` })
    .where('id', '=', id)
    .returning(['id', 'text']),
)

async function openNotes(engine: TestEngine) {
  const database = await engine.open<NotesTables>(NOTES_MIGRATIONS)
  onTestFinished(() => database.close())
  return database
}

const inOrder = {
  inserted: insert({ id: 1, text: 'a' }),
  appended: append({ id: 1, text: 'b' }),
  again: append({ id: 1, text: 'c' }),
}

describe.each(TEST_ENGINES)('statements in order on $name', (engine) => {
  it('each see what those before them wrote', async () => {
    const database = await openNotes(engine)
    const { inserted, appended, again } = await database.transact((trx) => trx.runInOrder(inOrder))
    expect(inserted.written).toBe(1)
    expect(appended.rows).toEqual([{ id: 1, text: 'ab' }])
    expect(again.rows).toEqual([{ id: 1, text: 'abc' }])
  })

  it('may be none', async () => {
    const database = await openNotes(engine)
    expect(await database.transact((trx) => trx.runInOrder({}))).toEqual({})
  })

  it('fail with the error of the first that fails, and undo the unit of work', async () => {
    const database = await openNotes(engine)
    const twice = {
      ...inOrder,
      twice: insert({ id: 1, text: 'd' }),
      last: append({ id: 1, text: 'e' }),
    }
    const failing = database.transact((trx) => trx.runInOrder(twice))
    await expect(failing).rejects.toThrow(/unique/i)
    expect(await database.reader.selectFrom('notes').selectAll().execute()).toEqual([])
  })

  it('run in order in a commit within a unit of work', async () => {
    const database = await openNotes(engine)
    const { again } = await database.transact((trx) => unitDatabase(database, trx).commit(inOrder))
    expect(again.rows).toEqual([{ id: 1, text: 'abc' }])
  })
})

const postgres = TEST_ENGINES.filter(({ name }) => name === 'postgres')

describe.each(postgres)('statements in order on $name', (engine) => {
  it('are sent together', async () => {
    const database = await openNotes(engine)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => {
      query.mockRestore()
    })
    await database.transact((trx) => trx.runInOrder(inOrder))
    // Between the beginning and the end of the unit of work.
    expect(query).toHaveBeenCalledTimes(3)
  })
})
