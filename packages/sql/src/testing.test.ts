import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Migrations } from './database/database.js'
import { TEST_ENGINES } from './testing.js'

interface Tables {
  readonly notes: { readonly id?: number; readonly body: string }
}

for (const engine of TEST_ENGINES) {
  const numbered =
    engine.name === 'sqlite'
      ? sql`integer primary key autoincrement`
      : sql`integer generated always as identity primary key`
  const migrations: Migrations = {
    '0001_a': {
      async up(database: Kysely<unknown>) {
        await sql`create table notes (id ${numbered}, body text not null)`.execute(database)
        await sql`insert into notes (body) values ('first')`.execute(database)
      },
    },
  }
  const FIRST = [{ id: 1, body: 'first' }]

  describe(`a database for a test on ${engine.name}`, () => {
    const used = async (statement: string): Promise<unknown[]> => {
      const database = await engine.open<Tables>(migrations)
      const found = await database.reader.selectFrom('notes').selectAll().execute()
      await database.transact((trx) => sql.raw(statement).execute(trx))
      expect(database.migrated).toEqual(['0001_a'])
      await database.close()
      return found
    }

    it.each([
      "insert into notes (body) values ('second')",
      'delete from notes',
      'alter table notes add column more text',
      'drop table notes',
      'alter table notes rename to others',
    ])('is as its migrations leave it after: %s', async (statement) => {
      await used(statement)
      expect(await used("insert into notes (body) values ('next')")).toEqual(FIRST)
    })

    it('numbers its rows as a new one does', async () => {
      for (let i = 0; i < 2; i++) {
        const database = await engine.open<Tables>(migrations)
        const added = await database.transact((trx) =>
          trx.insertInto('notes').values({ body: 'second' }).returning('id').execute(),
        )
        expect(added).toEqual([{ id: 2 }])
        await database.close()
      }
    })
  })
}
