import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from './database/database.js'
import { isDamage } from './errors/damage.js'
import { NOTES_MIGRATIONS, type NotesTables } from './notes.fixture.js'
import { prepare } from './database/connection.js'
import { TEST_ENGINES, type TestEngine } from './testing.js'
import { isUnavailable } from './errors/unavailability.js'

const noteOf = prepare<NotesTables, { id: number }, { text: string }>((db, { id }) =>
  db.selectFrom('notes').select('text').where('id', '=', id),
)

type Ask = (database: Database<NotesTables>) => Promise<unknown>

/** Every way in which a statement reaches a database. */
const WAYS: readonly (readonly [string, Ask])[] = [
  ['a query', ({ reader }) => reader.selectFrom('notes').selectAll().execute()],
  ['a prepared query', ({ reader }) => reader.run(noteOf({ id: 7 }))],
  [
    'a unit of work',
    (database) => database.transact((trx) => trx.selectFrom('notes').selectAll().execute()),
  ],
  [
    'a unit of work that is known before',
    (database) => database.commit({ note: noteOf({ id: 7 }) }),
  ],
]

/** Makes every read of the notes report damage, as the engine does for an unreadable page. */
const DAMAGES: Readonly<
  Record<TestEngine['name'], (database: Database<NotesTables>) => Promise<unknown>>
> = {
  async sqlite({ reader }) {
    const { rows } = await sql<{ file: string }>`pragma database_list`.execute(reader)
    const file = rows[0]?.file ?? ''
    // Reads of one turn of the event loop see one state, and hold it.
    await new Promise((resolve) => setImmediate(resolve))
    const other = new DatabaseSync(file)
    // This also makes the connections read anew.
    other.exec('pragma wal_checkpoint(truncate)')
    const pages = other.prepare("select rootpage from sqlite_master where tbl_name = 'notes'").all()
    other.close()
    const bytes = readFileSync(file)
    for (const { rootpage } of pages)
      bytes.fill(0xff, (Number(rootpage) - 1) * 4096, Number(rootpage) * 4096)
    writeFileSync(file, bytes)
  },
  async postgres(database) {
    await database.transact(async (trx) => {
      await sql`alter table notes rename to kept`.execute(trx)
      await sql`create function damaged() returns bigint language plpgsql as $$ begin
          raise exception 'invalid page in block 0' using errcode = 'data_corrupted'; end $$`.execute(
        trx,
      )
      await sql`create view notes as select id + damaged() as id, text from kept`.execute(trx)
    })
  },
}

for (const engine of TEST_ENGINES) {
  describe(`Damage on ${engine.name}`, () => {
    it.each(WAYS)('is noted when %s meets it, and stays noted', async (_, ask) => {
      const database = await engine.open<NotesTables>(NOTES_MIGRATIONS)
      await database.transact((trx) =>
        trx.insertInto('notes').values({ id: 7, text: 'x' }).execute(),
      )
      await ask(database)
      expect(database.damaged.aborted).toBe(false)
      await DAMAGES[engine.name](database)
      const failure = await ask(database).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(isDamage(failure)).toBe(true)
      expect(isUnavailable(failure)).toBe(false)
      expect(database.damaged).toMatchObject({ aborted: true, reason: failure })
      await sql`select 1`.execute(database.reader)
      expect(database.damaged.aborted).toBe(true)
      await database.close()
    })

    it('is not noted for other kinds of failure', async () => {
      const database = await engine.open<NotesTables>(NOTES_MIGRATIONS)
      await expect(sql`select nothing from nowhere`.execute(database.reader)).rejects.toThrow()
      await expect(
        database.transact((trx) => sql`insert into notes (id) values (1)`.execute(trx)),
      ).rejects.toThrow()
      expect(database.damaged.aborted).toBe(false)
      await database.close()
    })
  })
}
