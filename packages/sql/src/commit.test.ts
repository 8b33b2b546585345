import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Connection, namedLock, prepare } from './database/connection.js'
import type { Database } from './database/database.js'
import { NOTES_MIGRATIONS, type Note, type NotesTables } from './notes.fixture.js'
import { PostgresGroupCommit } from './postgres/postgres-group-commit.js'
import { TEST_ENGINES, lockWaiters, openTwiceOnPostgres } from './testing.js'
import { isUnavailable } from './errors/unavailability.js'

type Db = Connection<NotesTables>

const insert = prepare((db: Db, note: Note) => db.insertInto('notes').values(note))
const insertAbsent = prepare((db: Db, note: Note) =>
  db
    .insertInto('notes')
    .values(note)
    .onConflict((conflict) => conflict.doNothing()),
)
const append = prepare((db: Db, { id, text }: Note) =>
  db
    .updateTable('notes')
    .set({ text: sql`text || cast(${text} as text)` })
    .where('id', '=', id)
    .returning(['id', 'text']),
)
const find = prepare((db: Db, { id }: Pick<Note, 'id'>) =>
  db.selectFrom('notes').select(['id', 'text']).where('id', '=', id),
)

for (const engine of TEST_ENGINES) {
  describe(`a unit of work whose statements are known, on ${engine.name}`, () => {
    let database: Database<NotesTables>
    beforeEach(async () => {
      database = await engine.open<NotesTables>(NOTES_MIGRATIONS)
    })
    afterEach(() => database.close())

    const all = (): Promise<Note[]> =>
      database.reader.selectFrom('notes').selectAll().orderBy('id').execute()

    it('runs its statements in order and returns what each did', async () => {
      const { inserted, again, appended, found, none } = await database.commit({
        inserted: insert({ id: 1, text: 'a' }),
        again: insertAbsent({ id: 1, text: 'b' }),
        appended: append({ id: 1, text: '!' }),
        found: find({ id: 1 }),
        none: append({ id: 2, text: '!' }),
      })
      expect([inserted.written, again.written, none.rows]).toEqual([1, 0, []])
      expect(appended.rows).toEqual([{ id: 1, text: 'a!' }])
      expect(found.rows).toEqual([{ id: 1, text: 'a!' }])
      expect(await all()).toEqual([{ id: 1, text: 'a!' }])
    })

    it('is undone, all of it, by a statement that fails, and fails with its error', async () => {
      await database.commit({ inserted: insert({ id: 7, text: 'there' }) })
      const failing = database.commit({
        lost: insert({ id: 1, text: 'lost' }),
        twice: insert({ id: 7, text: 'twice' }),
        alsoLost: insert({ id: 2, text: 'lost' }),
      })
      await expect(failing).rejects.toThrow(/unique/i)
      expect(await all()).toEqual([{ id: 7, text: 'there' }])
    })

    it('leaves the units of work that share its commit alone when it fails', async () => {
      await database.commit({ inserted: insert({ id: 5, text: 'there' }) })
      const units = await Promise.allSettled(
        Array.from({ length: 12 }, (_, id) =>
          database.commit({
            inserted: insert({ id, text: 'new' }),
            appended: append({ id: 5, text: '.' }),
          }),
        ),
      )
      expect(units.flatMap(({ status }, id) => (status === 'rejected' ? [id] : []))).toEqual([5])
      const notes = await all()
      expect(notes).toHaveLength(12)
      // Each of the others is there once, however often it ran.
      expect(notes[5]).toEqual({ id: 5, text: `there${'.'.repeat(11)}` })
    })

    it('is refused before it begins when a value is missing', async () => {
      const incomplete = insert({ id: 1 } as Note)
      const [good, bad] = await Promise.allSettled([
        database.commit({ inserted: insert({ id: 2, text: 'good' }) }),
        database.commit({ lost: insert({ id: 3, text: 'lost' }), incomplete }),
      ])
      expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected'])
      expect((await all()).map(({ id }) => id)).toEqual([2])
    })

    it('waits for others, also for more than share one commit', async () => {
      await database.commit({ inserted: insert({ id: 1, text: '' }) })
      let begun = 0
      await Promise.all(
        Array.from({ length: 600 }, () =>
          database.commit({ appended: append({ id: 1, text: '.' }) }, () => {
            begun += 1
          }),
        ),
      )
      expect(begun).toBe(600)
      expect((await all())[0]?.text).toHaveLength(600)
    })

    it('is waited for by the closing', async () => {
      const other = await engine.open<NotesTables>(NOTES_MIGRATIONS)
      const done = other.commit({ inserted: insert({ id: 1, text: 'late' }) })
      const [, { inserted }] = await Promise.all([other.close(), done])
      expect(inserted.written).toBe(1)
    })
  })
}

const postgres = TEST_ENGINES.find(({ name }) => name === 'postgres')!

describe('units of work whose statements are known, on postgres', () => {
  const transactionId = prepare<NotesTables, object, { id: string }>((db) => ({
    compile: () => sql<{ id: string }>`select pg_current_xact_id()::text as id`.compile(db),
  }))
  const open = async (): Promise<Database<NotesTables>> => {
    const database = await postgres.open<NotesTables>(NOTES_MIGRATIONS)
    onTestFinished(() => database.close())
    return database
  }

  it('share transactions when they wait at the same time', async () => {
    const database = await open()
    const ids = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { at } = await database.commit({ at: transactionId({}) })
        return at.rows[0]?.id
      }),
    )
    expect(new Set(ids).size).toBeLessThan(8)
  })

  it('continue while others in their group, or on every connection, wait for locked rows', async () => {
    const database = await open()
    const commit = (id: number) => database.commit({ appended: append({ id, text: '.' }) })
    for (const id of [1, 2, 3, 4, 5]) await database.commit({ inserted: insert({ id, text: '' }) })
    let areAnswered = false
    const stuck = await database.transact(async (trx) => {
      await trx.selectFrom('notes').select('id').where('id', '<=', 4).forUpdate().execute()
      const waiting = Promise.all([1, 2, 3, 4].map(commit)).then((results) => {
        areAnswered = true
        return results
      })
      // In the same group.
      await commit(5)
      await vi.waitUntil(async () => (await lockWaiters(database)) === 4, 60_000)
      for (let i = 0; i < 8; i++) await commit(5)
      expect(areAnswered).toBe(false)
      return { waiting }
    })
    expect((await stuck.waiting).map(({ appended }) => appended.rows[0]?.text)).toEqual(
      Array(4).fill('.'),
    )
    expect((await database.commit({ found: find({ id: 5 }) })).found.rows[0]?.text).toBe(
      '.'.repeat(9),
    )
  })

  it('survive another unit of work that locks in the opposite order', async () => {
    const database = await open()
    for (const id of [1, 2]) await database.commit({ inserted: insert({ id, text: '' }) })
    const group = await database.transact(async (trx) => {
      const lock = (id: number) =>
        trx.selectFrom('notes').select('id').where('id', '=', id).forUpdate().execute()
      await lock(1)
      const underWay = [2, 1].map((id) => database.commit({ appended: append({ id, text: '.' }) }))
      // The server has looked for a deadlock by then, and the next look would end this unit of
      // work.
      await new Promise((resolve) => setTimeout(resolve, 1200))
      await lock(2)
      return { underWay }
    })
    const texts = (await Promise.all(group.underWay)).map(({ appended }) => appended.rows[0]?.text)
    expect(texts).toEqual(['.', '.'])
  })

  it('of one named lock run one after the other, and hold up no others', async () => {
    const database = await open()
    const commit = (name: string, id: number) =>
      database.commit({ locked: namedLock(name), appended: append({ id, text: '.' }) })
    for (const id of [1, 2]) await database.commit({ inserted: insert({ id, text: '' }) })
    let areAnswered = false
    // As many as there are connections.
    const stuck = await database.transact(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('hot', 0))`.execute(trx)
      const hot = Promise.all(Array.from({ length: 30 }, () => commit('hot', 1))).then(() => {
        areAnswered = true
      })
      await commit('other', 2)
      await vi.waitUntil(async () => (await lockWaiters(database)) === 1, 60_000)
      const late = commit('hot', 1)
      for (let i = 0; i < 40; i++) await commit('other', 2)
      expect(areAnswered).toBe(false)
      expect(await lockWaiters(database)).toBe(1)
      return { hot, late }
    })
    await Promise.all([stuck.hot, stuck.late])
    const notes = await database.reader.selectFrom('notes').selectAll().orderBy('id').execute()
    expect(notes.map(({ text }) => text.length)).toEqual([31, 41])
  })

  it('take named locks in one order in every process', async () => {
    const databases = await openTwiceOnPostgres<NotesTables>(NOTES_MIGRATIONS)
    onTestFinished(async () => {
      for (const database of databases.toReversed()) await database.close()
    })
    const sleep = prepare<NotesTables, object, unknown>((db) => ({
      compile: () => sql`select pg_sleep(0.02)::text as slept`.compile(db),
    }))
    const commit = async (database: Database<NotesTables>, lock: string) => {
      const { at } = await database.commit({
        locked: namedLock(lock),
        slept: sleep({}),
        at: transactionId({}),
      })
      return at.rows[0]?.id
    }
    const orders = [
      ['a', 'b'],
      ['b', 'a'],
    ]
    const ids = await Promise.all(
      databases.flatMap((database, i) => (orders[i] ?? []).map((lock) => commit(database, lock))),
    )
    // Had they waited for each other, both groups would have run unit by unit.
    expect(new Set(ids).size).toBe(2)
  })

  it('fail together with their connection, and are not run twice', async () => {
    const database = await open()
    await database.commit({ inserted: insert({ id: 1, text: '' }) })
    const endOwnBackend = prepare<NotesTables, object, unknown>((db) => ({
      compile: () => sql`select pg_terminate_backend(pg_backend_pid())`.compile(db),
    }))
    const units = await Promise.allSettled([
      database.commit({ appended: append({ id: 1, text: 'a' }) }),
      database.commit({ ended: endOwnBackend({}) }),
      database.commit({ appended: append({ id: 1, text: 'b' }) }),
    ])
    expect(units.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    const { found } = await database.commit({ found: find({ id: 1 }) })
    expect(found.rows).toEqual([{ id: 1, text: '' }])
  })
})

describe('units of work that wait for a connection to postgres', () => {
  const poolOf = (connect: () => Promise<never>) => ({ connect: vi.fn(connect) })
  const outcomes = (pool: ReturnType<typeof poolOf>, waitMs: number, count: number) => {
    const only = pool as unknown as pg.Pool
    const groups = new PostgresGroupCommit(only, only, waitMs)
    let begun = 0
    const units = Array.from({ length: count }, () =>
      groups
        .transact({ statements: [], lock: undefined, begun: () => (begun += 1) })
        .catch((error: unknown) => String(error)),
    )
    return { units, begun: () => begun, groups }
  }

  it('fail at once when none is given', async () => {
    const pool = poolOf(() => Promise.reject(new Error('refused')))
    const { units, begun, groups } = outcomes(pool, 60_000, 1000)
    expect(new Set(await Promise.all(units))).toEqual(new Set(['Error: refused']))
    expect(pool.connect.mock.calls.length).toBeLessThan(5)
    expect(begun()).toBe(0)
    await groups.idle()
  })

  it('do not wait for each other longer than for a connection', async () => {
    const pool = poolOf(() => new Promise<never>(() => undefined))
    const { units } = outcomes(pool, 100, 300)
    const [last] = units.slice(-1)
    expect(await last).toBe('Error: PostgreSQL does not answer')
    expect(isUnavailable(new Error('PostgreSQL does not answer'))).toBe(true)
  })
})
