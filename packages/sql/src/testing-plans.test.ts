import { type Kysely, sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { Migrations } from './database/database.js'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan } from './testing.js'

const migrations: Migrations = {
  '0001_a': {
    async up(database: Kysely<unknown>) {
      await sql`create table notes (store text not null, body text not null, day integer not null)`.execute(
        database,
      )
      await sql`create index notes_of_store on notes (store)`.execute(database)
      await sql`create index notes_by_body on notes (body, day)`.execute(database)
    },
  },
}

const BY_BODY = 'select * from notes where store = $1 and body = $2 and day = $3'
const QUERIES = new Set([BY_BODY, 'select * from notes where day = $1'])
const GROWING = { tables: ['notes'], storeColumn: 'store' }

for (const engine of TEST_ENGINES)
  it(`judges plans by the schema alone, whatever was left in its tables: ${engine.name}`, async () => {
    const database = await engine.open<object>(migrations)
    onTestFinished(() => database.close())
    const judge = async () => ({
      scan: await queriesThatScan(database, QUERIES, GROWING),
      needless: await indexesNotNeeded(database, QUERIES, GROWING),
    })
    const judged = { scan: ['select * from notes where day = $1'], needless: ['notes_of_store'] }
    expect(await judge()).toEqual(judged)
    const rows = Array.from({ length: 500 }, (_, i) => sql`(${`store ${i}`}, 'the same', 1)`)
    await database.transact((trx) =>
      sql`insert into notes (store, body, day) values ${sql.join(rows)}`.execute(trx),
    )
    if (engine.name === 'postgres') await sql`vacuum analyze`.execute(database.reader)
    expect(await judge()).toEqual(judged)
    const left = await sql`select * from notes`.execute(database.reader)
    expect(left.rows).toHaveLength(500)
  })
