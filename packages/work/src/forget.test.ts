import type { Database, Migrations } from '@cofre/sql'
import { TEST_ENGINES, lockWaiters, openTwiceOnPostgres } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Forgetting, forget, forgetAll } from './forget.js'

interface Tables {
  browsers: { id: number; used_at: number; address: string | null }
}

const MIGRATIONS: Migrations = {
  '0001_create_browsers': {
    up: (schema) =>
      schema.schema
        .createTable('browsers')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('used_at', 'bigint', (column) => column.notNull())
        .addColumn('address', 'text')
        .execute(),
  },
}

type Store = Database<Tables>

/** Browsers that were last used at these times. */
async function insertBrowsers(database: Store, ...times: readonly number[]): Promise<void> {
  const rows = times.map((used_at, id) => ({ id, used_at, address: '::1' }))
  await database.transact((trx) => trx.insertInto('browsers').values(rows).execute())
}

const unused = (beforeMs: number): Forgetting<Tables, 'browsers'> => ({
  table: 'browsers',
  key: ['id'],
  where: (of) => of('used_at', '<', beforeMs),
})

const forgetUnused = (database: Store, beforeMs: number) => forget(database, unused(beforeMs))

async function usedAt({ reader }: Store): Promise<number[]> {
  const rows = await reader.selectFrom('browsers').selectAll().orderBy('id').execute()
  return rows.map((row) => row.used_at)
}

describe.each(TEST_ENGINES)('forget on $name', (engine) => {
  it('deletes some of the rows that are over, until none is left', async () => {
    const database = await engine.open<Tables>(MIGRATIONS)
    onTestFinished(() => database.close())
    await insertBrowsers(database, 9, 10, ...Array.from({ length: 600 }, () => 1))
    const first = await forgetUnused(database, 10)
    expect(first).toBeLessThan(601)
    expect(first + (await forgetUnused(database, 10))).toBe(601)
    expect(await forgetUnused(database, 10)).toBe(0)
    expect(await usedAt(database)).toEqual([10])
  })

  it('deletes all of them, in several units of work', async () => {
    const database = await engine.open<Tables>(MIGRATIONS)
    onTestFinished(() => database.close())
    await insertBrowsers(database, 9, 10, ...Array.from({ length: 600 }, () => 1))
    expect(await forgetAll(database, unused(10))).toBe(601)
    expect(await usedAt(database)).toEqual([10])
  })

  it('writes into rows that stay, identified by several columns', async () => {
    const database = await engine.open<Tables>(MIGRATIONS)
    onTestFinished(() => database.close())
    await insertBrowsers(database, 1, 2, 10)
    const addresses: Forgetting<Tables, 'browsers'> = {
      table: 'browsers',
      key: ['used_at', 'id'],
      where: (of) => of('used_at', '<', 10).and('address', 'is not', null),
      set: { address: null },
    }
    expect(await forget(database, addresses)).toBe(2)
    expect(await forget(database, addresses)).toBe(0)
    const rows = await database.reader.selectFrom('browsers').selectAll().orderBy('id').execute()
    expect(rows.map(({ address }) => address)).toEqual([null, null, '::1'])
  })
})

it('forget keeps a row that another unit of work has just renewed', async () => {
  const [one, other] = await openTwiceOnPostgres<Tables>(MIGRATIONS)
  onTestFinished(async () => {
    await other.close()
    await one.close()
  })
  await insertBrowsers(one, 1, 2)
  let forgetting: Promise<number> | undefined
  await one.transact(async (trx) => {
    await trx.updateTable('browsers').set({ used_at: 20 }).where('id', '=', 0).execute()
    forgetting = forgetUnused(other, 10)
    await expect.poll(() => lockWaiters(one)).toBe(1)
  })
  expect(await forgetting).toBe(1)
  expect(await usedAt(one)).toEqual([20])
})
