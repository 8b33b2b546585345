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
const BY_DAY = 'select * from notes where day = $1'
const QUERIES = new Set([BY_BODY, BY_DAY])
const GROWING = { tables: ['notes'], storeColumn: 'store' }

for (const engine of TEST_ENGINES)
  it(`judges plans by the schema alone, whatever was left in its tables: ${engine.name}`, async () => {
    const database = await engine.open<object>(migrations)
    onTestFinished(() => database.close())
    const judge = async () => ({
      scan: await queriesThatScan(database, QUERIES, GROWING),
      needless: await indexesNotNeeded(database, QUERIES, GROWING),
    })
    const judged = { scan: [BY_DAY], needless: ['notes_of_store'] }
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

const partitioned: Migrations = {
  '0001_a': {
    async up(database: Kysely<unknown>) {
      await sql`create table notes (store text not null, body text not null, day bigint not null)
        partition by range (day)`.execute(database)
      for (const [year, from] of [1, 366].entries())
        await sql`create table ${sql.table(`notes_${year}`)} partition of notes
          for values from (${sql.lit(from)}) to (${sql.lit(from + 365)})`.execute(database)
      await sql`create index notes_of_store on notes (store)`.execute(database)
      await sql`create index notes_by_body on notes (body, day)`.execute(database)
    },
  },
}

it('judges a partitioned table by how its partitions are read', async () => {
  const postgres = TEST_ENGINES.find(({ name }) => name === 'postgres')!
  const database = await postgres.open<object>(partitioned)
  onTestFinished(() => database.close())
  expect(await queriesThatScan(database, QUERIES, GROWING)).toEqual([BY_DAY])
  expect(await indexesNotNeeded(database, QUERIES, GROWING)).toEqual(['notes_of_store'])
})
