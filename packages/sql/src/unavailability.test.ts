import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from './database/database.js'
import { openDatabase } from './open-database.js'
import { prepare } from './database/connection.js'
import { TEST_ENGINES, type TestEngine, testPostgres } from './testing.js'
import { isUnavailable } from './errors/unavailability.js'

interface Tables {
  readonly cards: { readonly id: number; readonly sealed: string }
}
type Unit = Kysely<Tables>

const migrations = {
  '0001_create_cards': {
    async up(database: Kysely<unknown>) {
      await database.schema
        .createTable('cards')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('sealed', 'text', (column) => column.notNull())
        .execute()
    },
  },
}

const serverUrl = await testPostgres()

async function openWith(engine: TestEngine): Promise<Database<Tables>> {
  const database = await engine.open<Tables>(migrations)
  onTestFinished(() => database.close())
  return database
}

/** The error of work that must fail. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: unknown) => error,
  )
}

const insert = (trx: Unit, id: number, sealed = 'x') =>
  trx.insertInto('cards').values({ id, sealed }).execute()

for (const engine of TEST_ENGINES) {
  describe(`A bug of ours on ${engine.name}`, () => {
    it.each<[string, (trx: Unit) => Promise<unknown>]>([
      ['a key that is taken', (trx) => insert(trx, 1)],
      ['a value that is missing', (trx) => insert(trx, 2, null as never)],
      ['what is not SQL', (trx) => sql`selekt 1`.execute(trx)],
      ['a table that is not there', (trx) => sql`select * from nowhere`.execute(trx)],
      ['an error of the work itself', () => Promise.reject(new TypeError('undefined is not'))],
    ])('is not unavailability: %s', async (_, work) => {
      const database = await openWith(engine)
      await database.transact((trx) => insert(trx, 1))
      expect(isUnavailable(await failureOf(database.transact(work)))).toBe(false)
    })
  })
}

describe('On SQLite', () => {
  const [sqlite] = TEST_ENGINES
  if (sqlite?.name !== 'sqlite') throw new Error('the first engine is SQLite')

  it('a full disk is unavailability, for the whole group that it fails', async () => {
    const database = await openWith(sqlite)
    await database.transact((trx) => sql`pragma max_page_count = 1`.execute(trx))
    const large = 'x'.repeat(100_000)
    const failures = await Promise.all(
      [1, 2, 3].map((id) => failureOf(database.transact((trx) => insert(trx, id, large)))),
    )
    expect(failures.map(isUnavailable)).toEqual([true, true, true])
  })

  it('a read-only file is unavailability', async () => {
    const database = await openWith(sqlite)
    await database.transact((trx) => sql`pragma query_only = on`.execute(trx))
    expect(isUnavailable(await failureOf(database.transact((trx) => insert(trx, 1))))).toBe(true)
  })

  it.each([10, 10 | (12 << 8), 14, 8 | (4 << 8)])('result code %d is unavailability', (errcode) => {
    const error = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode })
    expect(isUnavailable(error)).toBe(true)
  })

  it.each([1, 11, 19, 19 | (8 << 8)])('result code %d is not', (errcode) => {
    const error = Object.assign(new Error('failed'), { code: 'ERR_SQLITE_ERROR', errcode })
    expect(isUnavailable(error)).toBe(false)
  })
})

describe('On PostgreSQL', () => {
  const postgres = TEST_ENGINES.find(({ name }) => name === 'postgres')
  if (postgres === undefined) throw new Error('PostgreSQL is an engine')
  const failing = (condition: string) => (trx: Unit) =>
    sql
      .raw(`do $$ begin raise exception 'as it would' using errcode = '${condition}'; end $$`)
      .execute(trx)

  it.each([
    ['a full disk', '53100'],
    ['too many connections', '53300'],
    ['a server that starts', '57P03'],
    ['a failure of its machine', '58030'],
    ['a connection that is lost', '08006'],
  ])('%s is unavailability', async (_, condition) => {
    const database = await openWith(postgres)
    const failure = await failureOf(database.transact(failing(condition)))
    expect(failure).toMatchObject({ code: condition })
    expect(isUnavailable(failure)).toBe(true)
  })

  it.each<[string, (trx: Unit) => Promise<unknown>]>([
    [
      'a statement that takes too long',
      async (trx) => {
        await sql`set local statement_timeout = 20`.execute(trx)
        await sql`select pg_sleep(5)`.execute(trx)
      },
    ],
    [
      'a server that may only be read',
      async (trx) => {
        await sql`set transaction read only`.execute(trx)
        await insert(trx, 1)
      },
    ],
    [
      'a server that ends the connection',
      (trx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx),
    ],
  ])('%s is unavailability', async (_, work) => {
    const database = await openWith(postgres)
    expect(isUnavailable(await failureOf(database.transact(work)))).toBe(true)
    await database.transact((trx) => insert(trx, 1))
  })

  it('a full disk is unavailability, also where the unit of work met only what followed from it', async () => {
    const database = await openWith(postgres)
    const insertCard = prepare<Tables, { id: number }, never>((trx, { id }) =>
      trx.insertInto('cards').values({ id, sealed: 'x' }),
    )
    await database.transact(async (trx) => {
      await sql`create function full_disk() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(trx)
      await sql`create trigger full_disk before insert on cards
        execute function full_disk()`.execute(trx)
    })
    const failure = await failureOf(
      database.transact(async (trx) => {
        trx.run(insertCard({ id: 1 })).catch(() => undefined)
        await sql`select 1`.execute(trx)
      }),
    )
    expect(failure).toMatchObject({ code: '53100' })
    expect(isUnavailable(failure)).toBe(true)
  })

  it('a server that is not there is unavailability', async () => {
    const url = new URL(serverUrl)
    url.port = '9'
    for (const host of ['127.0.0.1', 'localhost', 'nowhere.invalid']) {
      url.hostname = host
      const opening = openDatabase({ url: url.href, schema: 'test', migrations: {} })
      expect(isUnavailable(await failureOf(opening))).toBe(true)
    }
  })

  it('no free connection in time is unavailability', async () => {
    const pool = new pg.Pool({ connectionString: serverUrl, max: 1, connectionTimeoutMillis: 1000 })
    const client = await pool.connect()
    const failure = await failureOf(pool.query('select 1'))
    client.release()
    await pool.end()
    expect(isUnavailable(failure)).toBe(true)
  })
})

describe('isUnavailable', () => {
  it('looks at causes, also at such as name each other', () => {
    const gone = Object.assign(new Error('gone'), { code: 'ECONNRESET' })
    expect(isUnavailable(new Error('outer', { cause: new Error('inner', { cause: gone }) }))).toBe(
      true,
    )
    const circle = new Error('circle')
    circle.cause = circle
    expect(isUnavailable(circle)).toBe(false)
    expect(isUnavailable('gone')).toBe(false)
    expect(isUnavailable(undefined)).toBe(false)
  })
})
