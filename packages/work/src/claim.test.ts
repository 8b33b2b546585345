import { randomUUID } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import {
  TEST_ENGINES,
  lockWaiters,
  openTwiceOnPostgres,
  queriesThatScan,
  queryPostgres,
  recordQueries,
  testPostgres,
} from '@cofre/sql/testing'
import { readEach } from './claim.js'
import {
  ERRAND_MIGRATIONS,
  type ErrandRow,
  type ErrandTables,
  FIRST_PAUSE_MS,
  LONGEST_ERRAND_PAUSE_MS,
  addErrands,
  claimErrands,
  claimOneOfSubject,
  endErrand,
  openErrands,
} from './claims.fixture.js'

const NOW_MS = Date.UTC(2026, 10, 29)
const LEASE = { until: 'lease_until', longestMs: 15_000 } as const
const idsOf = (rows: readonly ErrandRow[]): number[] => rows.map(({ id }) => id)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

for (const engine of TEST_ENGINES) {
  describe(`a claim of due work on ${engine.name}`, () => {
    let database: Database<ErrandTables>
    beforeEach(async () => {
      database = await engine.open<ErrandTables>(ERRAND_MIGRATIONS)
    })
    afterEach(() => database.close())

    it('gives each row to one of many callers, what has waited longest first', async () => {
      await addErrands(database, { from: 1, count: 10, dueAtMs: NOW_MS - 2 })
      await addErrands(database, { from: 11, count: 90, dueAtMs: NOW_MS - 1 })
      expect(idsOf(await claimErrands(database, NOW_MS, { limit: 10 })).toSorted(byNumber)).toEqual(
        upTo(10),
      )
      const rounds = await Promise.all(
        upTo(12).map(() => claimErrands(database, NOW_MS, { limit: 10 })),
      )
      const ids = rounds.flatMap(idsOf)
      expect(ids.length).toBe(90)
      expect(new Set(ids).size).toBe(90)
      expect(await claimErrands(database, NOW_MS)).toEqual([])
    })

    it('leaves rows that wait for nothing, are not due yet, or are another worker’s', async () => {
      await addErrands(database, { from: 1, count: 1, dueAtMs: NOW_MS + 1 })
      expect(await claimErrands(database, NOW_MS, { lease: LEASE })).toEqual([])
      expect(idsOf(await claimErrands(database, NOW_MS + 1, { lease: LEASE }))).toEqual([1])
      // The lease keeps it: its due time alone would make it due again.
      await database.transact((trx) =>
        trx.updateTable('errands').set({ next_at: NOW_MS }).execute(),
      )
      expect(await claimErrands(database, NOW_MS + LEASE.longestMs, { lease: LEASE })).toEqual([])
      expect(
        idsOf(await claimErrands(database, NOW_MS + 1 + LEASE.longestMs, { lease: LEASE })),
      ).toEqual([1])
      await endErrand(database, 1, NOW_MS)
      expect(await claimErrands(database, NOW_MS + DAY_MS)).toEqual([])
    })

    it('gives a row again after the pause, where its caller has died', async () => {
      await addErrands(database, { from: 1, count: 1, dueAtMs: NOW_MS })
      expect(await claimErrands(database, NOW_MS)).toHaveLength(1)
      expect(await claimErrands(database, NOW_MS + FIRST_PAUSE_MS - 1)).toEqual([])
      expect(await claimErrands(database, NOW_MS + FIRST_PAUSE_MS)).toMatchObject([{ attempts: 1 }])
    })

    it('keeps no row for long whose caller’s clock was a day ahead, or was set back by one', async () => {
      await addErrands(database, { from: 1, count: 1, dueAtMs: NOW_MS })
      expect(await claimErrands(database, NOW_MS + DAY_MS, { lease: LEASE })).toHaveLength(1)
      expect(await claimErrands(database, NOW_MS, { lease: LEASE })).toHaveLength(1)
      // By the right clock again: the row keeps its own pause.
      expect(await claimErrands(database, NOW_MS + 1, { lease: LEASE })).toEqual([])
      expect(
        await claimErrands(database, NOW_MS + 2 * FIRST_PAUSE_MS, { lease: LEASE }),
      ).toHaveLength(1)
      expect(await claimErrands(database, NOW_MS - DAY_MS, { lease: LEASE })).toHaveLength(1)
    })

    it('leaves a leased row by the clock of its lease, where what is due goes by another', async () => {
      await addErrands(database, { from: 1, count: 1, dueAtMs: NOW_MS })
      const dayAhead = (leaseNowMs: number) =>
        claimErrands(database, NOW_MS + DAY_MS, { lease: { ...LEASE, nowMs: leaseNowMs } })
      expect(await dayAhead(NOW_MS)).toHaveLength(1)
      await database.transact((trx) =>
        trx.updateTable('errands').set({ next_at: NOW_MS }).execute(),
      )
      expect(await dayAhead(NOW_MS + LEASE.longestMs - 1)).toEqual([])
      expect(await dayAhead(NOW_MS + LEASE.longestMs)).toHaveLength(1)
    })

    it('takes no more than its limit, with rows from before the clock was set back', async () => {
      await addErrands(database, { from: 1, count: 5, dueAtMs: NOW_MS })
      await addErrands(database, { from: 6, count: 25, dueAtMs: NOW_MS + DAY_MS })
      const limit = 20
      const first = idsOf(await claimErrands(database, NOW_MS, { limit }))
      expect(first).toHaveLength(20)
      expect(first).toEqual(expect.arrayContaining(upTo(5)))
      const second = idsOf(await claimErrands(database, NOW_MS, { limit }))
      expect([...first, ...second].toSorted(byNumber)).toEqual(upTo(30))
    })

    it('changes only the rows that it claims, if two columns identify a row', async () => {
      await addErrands(database, { from: 1, count: 3, dueAtMs: NOW_MS })
      expect(
        await claimErrands(database, NOW_MS, { key: ['subject', 'id'], limit: 1 }),
      ).toHaveLength(1)
      expect(await claimErrands(database, NOW_MS)).toHaveLength(2)
    })

    it('takes in turns what has waited longest first, and what a set-back clock wrote', async () => {
      await addErrands(database, { from: 1, count: 10, dueAtMs: NOW_MS })
      await addErrands(database, { from: 11, count: 10, dueAtMs: NOW_MS - 1 })
      await addErrands(database, { from: 21, count: 1, dueAtMs: NOW_MS + DAY_MS })
      const inTurn = async (limit: number) =>
        idsOf(await claimErrands(database, NOW_MS, { turns: 'errands', limit })).toSorted(byNumber)
      expect(await inTurn(10)).toEqual(upTo(20).slice(10))
      expect(await inTurn(20)).toEqual([...upTo(10), 21])
    })

    it('gets past two hundred that always fail, and asks for them less and less', async () => {
      await addErrands(database, { from: 1, count: 200, dueAtMs: NOW_MS - 2 })
      await addErrands(database, { from: 201, count: 10, dueAtMs: NOW_MS - 1 })
      const done: number[] = []
      let rounds = 0
      while (done.length < 10) {
        rounds++
        for (const id of idsOf(await claimErrands(database, NOW_MS)))
          if (id > 200) {
            await endErrand(database, id, NOW_MS)
            done.push(id)
          }
      }
      expect(rounds).toBe(11)
      let asked = 0
      for (let nowMs = NOW_MS; nowMs < NOW_MS + DAY_MS; nowMs += FIRST_PAUSE_MS)
        asked += (await claimErrands(database, nowMs, { limit: 200 })).length
      // Six pauses that double, then one an hour.
      expect(asked / 200).toBeGreaterThan(23)
      expect(asked / 200).toBeLessThan(32)
      expect(LONGEST_ERRAND_PAUSE_MS).toBe(3_600_000)
    })

    it('reads no more of a hundred thousand rows than it takes, whether due or waiting', async () => {
      await addErrands(database, { from: 1, count: 100_000, dueAtMs: NOW_MS })
      const recorded = recordQueries()
      expect(await claimErrands(database, NOW_MS - 1)).toEqual([])
      expect(await claimErrands(database, NOW_MS)).toHaveLength(20)
      recorded.stop()
      const growing = { tables: ['errands'] }
      expect(await queriesThatScan(database, recorded.texts, growing)).toEqual([])
    })

    it('takes more rows than SQLite nests conditions', async () => {
      await addErrands(database, { from: 1, count: 1500, dueAtMs: NOW_MS })
      expect(await claimErrands(database, NOW_MS, { limit: 1500 })).toHaveLength(1500)
      expect(await claimErrands(database, NOW_MS)).toEqual([])
    })

    it('loses nothing of a unit of work whose database went away in the middle', async () => {
      await addErrands(database, { from: 1, count: 3, dueAtMs: NOW_MS })
      const { reader } = database
      const lost: Pick<typeof database, 'reader' | 'transact'> = {
        reader,
        transact: (work) =>
          database.transact(async (trx) => {
            await work(trx)
            throw Object.assign(new Error('terminating connection'), { code: '57P01' })
          }),
      }
      await expect(claimErrands(lost, NOW_MS)).rejects.toThrow('terminating')
      expect(await claimErrands(database, NOW_MS)).toMatchObject([
        { attempts: 0 },
        { attempts: 0 },
        { attempts: 0 },
      ])
    })

    it('gives what a killed process had taken to another, once its pause is over', async () => {
      const place = await ownPlace(engine.name)
      const beside = await openErrands(place.url, place.schema)
      await addErrands(beside, { from: 1, count: 30, dueAtMs: NOW_MS })
      await beside.close()
      await claimAndDie(place)
      const survivor = await openErrands(place.url, place.schema)
      expect(await claimErrands(survivor, NOW_MS + 1, { limit: 100 })).toHaveLength(10)
      expect(await claimErrands(survivor, NOW_MS + FIRST_PAUSE_MS, { limit: 100 })).toHaveLength(20)
      await survivor.close()
      await place.remove()
    })
  })
}

describe('rows that are read each for itself', () => {
  it('leave out those that cannot be read, each of which is reported', () => {
    const reported: string[] = []
    const read = readEach(
      ['1', 'nonsense', '3'],
      (text) => BigInt(text),
      (error, row) => {
        reported.push(`${row}: ${String(error instanceof SyntaxError)}`)
      },
    )
    expect(read).toEqual([1n, 3n])
    expect(reported).toEqual(['nonsense: true'])
  })
})

const byNumber = (a: number, b: number): number => a - b

interface Place {
  readonly url: string
  readonly schema: string
  remove(): Promise<void>
}

async function ownPlace(engine: 'sqlite' | 'postgres'): Promise<Place> {
  const name = `claims_${randomUUID().replaceAll('-', '')}`
  if (engine === 'postgres') {
    const url = await testPostgres()
    const remove = async (): Promise<void> => {
      await queryPostgres(url, `drop schema ${name} cascade`)
    }
    return { url, schema: name, remove }
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-claims-'))
  const remove = (): Promise<void> => {
    rmSync(folder, { recursive: true })
    return Promise.resolve()
  }
  return { url: `sqlite:${path.join(folder, 'test.db')}`, schema: 'test', remove }
}

/** A process that claims twenty rows, reports it, and is killed before it can end any. */
async function claimAndDie({ url, schema }: Place): Promise<void> {
  const migrations = "{ '0001_create_errands': { async up() {} } }"
  const program = `
    const { openDatabase } = await import('@cofre/sql')
    const { claim } = await import('@cofre/work')
    const at = ${JSON.stringify({ url, schema })}
    const database = await openDatabase({ ...at, migrations: ${migrations} })
    const taken = await claim(database, {
      table: 'errands',
      key: ['id'],
      rows: (db) => db.selectFrom('errands').selectAll().where('done_at', 'is', null),
      due: { at: 'next_at', longestMs: ${LONGEST_ERRAND_PAUSE_MS}, nowMs: ${NOW_MS}, limit: 20 },
      take: () => ({ next_at: ${NOW_MS + FIRST_PAUSE_MS} }),
    })
    console.log(taken.length)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: path.join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [taken] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [
    unknown,
  ]
  expect(String(taken).trim()).toBe('20')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

type Claimed = Pick<Database<ErrandTables>, 'reader' | 'transact'>

/** The same database, whose units of work commit only after `resume`. */
function stopBeforeCommit({ reader, transact }: Claimed) {
  const isWaiting = Promise.withResolvers<undefined>()
  const resume = Promise.withResolvers<undefined>()
  const database: Claimed = {
    reader,
    transact: (work) =>
      transact(async (trx) => {
        const result = await work(trx)
        isWaiting.resolve(undefined)
        await resume.promise
        return result
      }),
  }
  return {
    database,
    isWaiting: isWaiting.promise,
    resume() {
      resume.resolve(undefined)
    },
  }
}

if (TEST_ENGINES.some(({ name }) => name === 'postgres'))
  describe('two workers on one PostgreSQL', () => {
    it('share what is due, and neither waits for what the other is taking', async () => {
      const [one, two] = await openTwiceOnPostgres<ErrandTables>(ERRAND_MIGRATIONS)
      await addErrands(one, { from: 1, count: 40, dueAtMs: NOW_MS })
      const slow = stopBeforeCommit(one)
      const first = claimErrands(slow.database, NOW_MS)
      await slow.isWaiting
      const second = await claimErrands(two, NOW_MS)
      slow.resume()
      const ids = [...idsOf(await first), ...idsOf(second)]
      expect(ids.toSorted(byNumber)).toEqual(upTo(40))
      await two.close()
      await one.close()
    })

    it('take turns where rows hold each other back: the second sees what the first has', async () => {
      const [one, two] = await openTwiceOnPostgres<ErrandTables>(ERRAND_MIGRATIONS)
      await addErrands(one, { from: 1, count: 2, dueAtMs: NOW_MS })
      const slow = stopBeforeCommit(one)
      const first = claimOneOfSubject(slow.database, NOW_MS)
      await slow.isWaiting
      const second = claimOneOfSubject(two, NOW_MS)
      await expect.poll(() => lockWaiters(two)).toBeGreaterThan(0)
      slow.resume()
      expect([await first, await second].map((rows) => rows.length)).toEqual([1, 0])
      expect(await claimOneOfSubject(two, NOW_MS + FIRST_PAUSE_MS)).toHaveLength(1)
      await two.close()
      await one.close()
    })

    it('take in turns no row that was ended while they waited for it', async () => {
      const [one, two] = await openTwiceOnPostgres<ErrandTables>(ERRAND_MIGRATIONS)
      await addErrands(one, { from: 1, count: 2, dueAtMs: NOW_MS })
      const slow = stopBeforeCommit(one)
      const end = endErrand(slow.database, 1, NOW_MS)
      await slow.isWaiting
      const taken = claimErrands(two, NOW_MS, { turns: 'errands' })
      await expect.poll(() => lockWaiters(two)).toBeGreaterThan(0)
      slow.resume()
      await end
      expect(idsOf(await taken)).toEqual([2])
      await two.close()
      await one.close()
    })
  })
