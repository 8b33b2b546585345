import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from './database/database.js'
import { openDatabase } from './open-database.js'
import { probeWriting } from './database/database.js'
import { ownServer } from '../test/postgres-server.js'
import { TEST_ENGINES, TEST_POSTGRES, TEST_SQLITE, openTwiceOnPostgres } from './testing.js'
import { isUnavailable } from './errors/unavailability.js'

const run = (database: Database<unknown>, statement: string) =>
  database.transact((trx) => sql.raw(statement).execute(trx))

async function failureOf(work: Promise<void>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

for (const engine of TEST_ENGINES) {
  describe(`probeWriting on ${engine.name}`, () => {
    it('succeeds on a new database, among other work', async () => {
      const database = await engine.open({})
      await Promise.all([
        probeWriting(database),
        run(database, 'create table cards (id integer)'),
        probeWriting(database),
      ])
      await database.close()
    })
  })
}

describe('probeWriting', () => {
  it('fails on an SQLite file that may only be read', async () => {
    const database = await TEST_SQLITE.open({})
    await run(database, 'pragma query_only = on')
    expect(isUnavailable(await failureOf(probeWriting(database)))).toBe(true)
    await database.close()
  })

  it('fails on PostgreSQL where this process may only read', async () => {
    const database = await TEST_POSTGRES.open({})
    const readOnly: Database<unknown> = {
      ...database,
      transact: (work) =>
        database.transact(async (trx) => {
          await sql`set transaction read only`.execute(trx)
          return await work(trx)
        }),
    }
    expect(isUnavailable(await failureOf(probeWriting(readOnly)))).toBe(true)
    await database.close()
  })

  it('waits for no other probe on PostgreSQL, also not for one of a process that froze', async () => {
    const [database, frozen] = await openTwiceOnPostgres({})
    await frozen.transact(async (trx) => {
      for (const statement of frozen.dialect.writeProbe) await sql.raw(statement).execute(trx)
      await probeWriting(database)
    })
    await frozen.close()
    await database.close()
  })

  it('leaves no row behind on PostgreSQL, and next to no room taken', async () => {
    const database = await TEST_POSTGRES.open({})
    const bytes = async () => {
      const { rows } = await sql<{ bytes: number }>`
        select pg_relation_size('kysely_migration_lock') as bytes`.execute(database.reader)
      return rows[0]?.bytes ?? 0
    }
    await probeWriting(database)
    const before = await bytes()
    for (let i = 0; i < 300; i++) await probeWriting(database)
    expect((await bytes()) - before).toBeLessThan(30_000)
    await database.close()
  })
})

/** A disk of its own, which only root can mount. */
function smallDisk(megabytes: number): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-small-disk-'))
  try {
    const size = `size=${megabytes}m,mode=755`
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  onTestFinished(() => {
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

function fill(folder: string): string {
  const ballast = path.join(folder, 'ballast')
  expect(() => {
    writeFileSync(ballast, Buffer.alloc(256 * 1024 * 1024))
  }).toThrow('ENOSPC')
  return ballast
}

it('probeWriting fails on a disk that is really full, succeeds once there is room, and the file does not grow', async (context) => {
  const folder = smallDisk(2)
  if (folder === undefined) {
    context.skip('only root can mount a disk')
    return
  }
  const file = path.join(folder, 'test.db')
  const options = { url: `sqlite:${file}`, schema: 'test', migrations: {} }
  const database = await openDatabase<unknown>(options)
  await probeWriting(database)
  const before = statSync(file).size
  for (let i = 0; i < 100; i++) await probeWriting(database)
  expect(statSync(file).size).toBe(before)

  const ballast = fill(folder)
  const failure = await failureOf(probeWriting(database))
  expect(failure).toBeDefined()
  expect(isUnavailable(failure)).toBe(true)
  // Otherwise the next start would take it for a database that lost everything.
  const other = path.join(folder, 'other.db')
  await expect(openDatabase({ ...options, url: `sqlite:${other}` })).rejects.toThrow()
  expect(existsSync(other)).toBe(false)
  rmSync(ballast)
  await probeWriting(database)
  await database.close()
})

it('probeWriting fails where the disk of a PostgreSQL server is really full, also while its log has room, and succeeds once there is room', async (context) => {
  const folder = smallDisk(160)
  if (folder === undefined) {
    context.skip('only root can mount a disk')
    return
  }
  const { url, server } = await ownServer(folder)
  await server.start()
  const database = await openDatabase<unknown>({ url, schema: 'test', migrations: {} })
  try {
    await run(database, 'create table cards (sealed text)')
    const insert = () =>
      run(database, "insert into cards select repeat('x', 1000) from generate_series(1, 20)")
    await insert()
    await probeWriting(database)
    const ballast = fill(folder)
    await expect(insert()).rejects.toMatchObject({ code: '53100' })
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(probeWriting(database))))
    for (const failure of failures) expect(failure).toMatchObject({ code: '53100' })
    expect(failures.map(isUnavailable)).toEqual([true, true, true])
    rmSync(ballast)
    await probeWriting(database)
    await insert()
  } finally {
    await database.close()
    await server.stop()
  }
})
