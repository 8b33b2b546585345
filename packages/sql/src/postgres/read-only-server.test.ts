import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { prepare } from '../database/connection.js'
import type { Database } from '../database/database.js'
import { isUnavailable } from '../errors/unavailability.js'
import { NOTES_MIGRATIONS, type NotesTables } from '../notes.fixture.js'
import { TEST_POSTGRES } from '../testing.js'

const insertNote = prepare<NotesTables, { id: number }, never>((db, { id }) =>
  db.insertInto('notes').values({ id, text: 'x' }),
)

async function open(): Promise<Database<NotesTables>> {
  const database = await TEST_POSTGRES.open<NotesTables>(NOTES_MIGRATIONS)
  onTestFinished(() => database.close())
  return database
}

describe('A connection to a server that takes no writes any more', () => {
  const makeReadOnly = (database: Database<NotesTables>) =>
    database.transact((trx) =>
      sql`set session characteristics as transaction read only`.execute(trx),
    )

  it('is given up, and a unit of work whose statements are known is run on another', async () => {
    const database = await open()
    await makeReadOnly(database)
    await database.commit({ note: insertNote({ id: 1 }) })
    expect(await database.reader.selectFrom('notes').select('id').execute()).toEqual([{ id: 1 }])
  })

  it('is given up, and another unit of work fails as unavailable', async () => {
    const database = await open()
    await makeReadOnly(database)
    const write = (id: number) => database.transact((trx) => trx.run(insertNote({ id })))
    const failure: unknown = await write(2).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: '25006' })
    expect(isUnavailable(failure)).toBe(true)
    await write(3)
  })
})
