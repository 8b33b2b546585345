import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../database/database.js'
import { openPostgresDatabase } from './postgres-database.js'
import { prepare } from '../database/connection.js'
import { lockWaiters, testPostgres } from '../testing.js'

type Unit = Kysely<unknown>

const serverUrl = await testPostgres()

async function open(url = serverUrl, silenceMaxMs?: number): Promise<Database<unknown>> {
  const database = await openPostgresDatabase<unknown>(
    { url, schema: 'test_connections', migrations: {} },
    silenceMaxMs,
  )
  return database
}

async function backendOf(trx: Unit): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
  return rows[0]?.pid ?? 0
}

/** Fails for 0. */
const invert = prepare<unknown, { value: number }, { inverse: number }>((reader, { value }) => ({
  compile: () =>
    sql<{ inverse: number }>`select 12 / cast(${value} as int) as inverse`.compile(reader),
}))

const bigint = prepare<unknown, { number: string }, { value: number }>((reader, { number }) => ({
  compile: () => sql<{ value: number }>`select cast(${number} as bigint) as value`.compile(reader),
}))

const undo = prepare<unknown, object, unknown>((reader) => ({
  compile: () => sql`rollback to savepoint before`.compile(reader),
}))

const changeHeld = prepare<unknown, { by: number }, unknown>((reader, { by }) => ({
  compile: () => sql`update held set value = value + cast(${by} as int)`.compile(reader),
}))

/** How often the connection planned a query anew, and by one plan for all values. */
const countPlans = prepare<unknown, { sql: string }, Record<'anew' | 'once', number>>(
  (reader, { sql: text }) => ({
    compile: () =>
      sql<Record<'anew' | 'once', number>>`
        select custom_plans as anew, generic_plans as once from pg_prepared_statements
        where statement = cast(${text} as text)`.compile(reader),
  }),
)

/** Ends the connections that sleep. Returns their number. */
async function endSleeping(database: Database<unknown>): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event = 'PgSleep' and datname = current_database()`.execute(database.reader)
  return rows.length
}

/**
 * A line to the server that can fall silent: connections stay open but nothing passes, as on a
 * broken network.
 */
async function openLine() {
  const server = new URL(serverUrl)
  const sockets: Socket[] = []
  let isSilent = false
  const forward = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      if (!isSilent) to.write(bytes)
    })
    from.on('error', () => undefined)
    from.on('end', () => {
      if (!isSilent) to.end()
    })
    sockets.push(from)
  }
  const line = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: Number(server.port), host: server.hostname, allowHalfOpen: true })
    forward(near, far)
    forward(far, near)
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    line.close()
  })
  const url = new URL(serverUrl)
  url.port = String((line.address() as AddressInfo).port)
  return {
    url: url.href,
    isSilent: () => isSilent,
    fallSilent: () => (isSilent = true),
    /** Affects new connections; those that fell silent stay silent. */
    restore() {
      for (const socket of sockets) socket.removeAllListeners('data')
      isSilent = false
    },
  }
}

describe('a connection to PostgreSQL', () => {
  it('reads new columns where workers search for all of them', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const change = (text: string) => database.transact((trx) => sql.raw(text).execute(trx))
    const search = { compile: () => sql`select * from found`.compile(database.reader) }
    await change('drop table if exists found')
    await change('create table found as select 1 as id')
    for (let i = 0; i < 2; i++) expect(await database.reader.poll(search)).toEqual([{ id: 1 }])
    await change("alter table found add column read text default 'yes'")
    expect(await database.reader.poll(search)).toEqual([{ id: 1, read: 'yes' }])
  })

  it('is free for reads while many units of work wait for a lock', async () => {
    const [database, other] = [await open(), await open()]
    onTestFinished(async () => {
      await Promise.all([database.close(), other.close()])
    })
    await other.transact(async (trx) => {
      await sql`drop table if exists held`.execute(trx)
      await sql`create table held as select 1 as value`.execute(trx)
    })
    const waiting = await other.transact(async (trx) => {
      await sql`select value from held for update`.execute(trx)
      const units = Array.from({ length: 11 }, () =>
        database.commit({ held: changeHeld({ by: 1 }) }),
      )
      while ((await lockWaiters(other)) < units.length) await pause(10)
      const { rows } = await database.reader.run(invert({ value: 3 }))
      expect(rows).toEqual([{ inverse: 4 }])
      return units
    })
    await Promise.all(waiting)
    const { rows } = await sql`select value from held`.execute(database.reader)
    expect(rows).toEqual([{ value: 12 }])
  })

  it('plans a prepared query once, whatever its values', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const { sql: text } = invert({ value: 1 }).on('postgres')
    for (let value = 1; value <= 3; value++) await database.reader.run(invert({ value }))
    const { rows } = await database.reader.run(countPlans({ sql: text }))
    expect(rows).toEqual([{ anew: 0, once: 3 }])
  })

  it('that the server ends fails its unit of work alone, and is replaced', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const other = await open()
    onTestFinished(() => other.close())
    const endOwnBackend = async (trx: Unit): Promise<void> => {
      const backend = await backendOf(trx)
      await sql`select pg_terminate_backend(${backend})`.execute(other.reader)
      // The end arrives while no query is under way.
      await new Promise((resolve) => setTimeout(resolve, 100))
      await backendOf(trx)
    }
    const units = await Promise.allSettled(
      Array.from({ length: 5 }, () => database.transact(endOwnBackend)),
    )
    expect(units.map(({ status }) => status)).toEqual(Array<string>(5).fill('rejected'))
    expect(await database.transact(backendOf)).toBeGreaterThan(0)
    expect(await backendOf(database.reader)).toBeGreaterThan(0)
  })

  it('undoes and fails a unit of work that continued after a failed statement', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const swallowing = database.transact(async (trx) => {
      await sql`select 1 / 0`.execute(trx).catch(() => undefined)
      return 'done'
    })
    await expect(swallowing).rejects.toThrow('a statement failed')
    expect(await database.transact(backendOf)).toBeGreaterThan(0)
  })

  it('takes nothing from a unit of work that is over', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const escaped = await database.transact((trx) => Promise.resolve({ trx }))
    await expect(backendOf(escaped.trx)).rejects.toThrow('the unit of work is over')
    expect(await database.transact(backendOf)).toBeGreaterThan(0)
  })

  it('that many reads share fails them alone when the server ends it, and is replaced', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const sleep = prepare<unknown, { seconds: number }, { pid: number }>((reader, { seconds }) => ({
      compile: () =>
        sql<{ pid: number }>`
          select pg_backend_pid() as pid from pg_sleep(${seconds})`.compile(reader),
    }))
    const pids = async (seconds: number, count: number) =>
      await Promise.all(
        Array.from(
          { length: count },
          async () => (await database.reader.run(sleep({ seconds }))).rows[0],
        ),
      )
    const shared = new Set((await pids(0, 40)).map((row) => row?.pid))
    expect(shared.size).toBeLessThan(10)
    const failing = expect(pids(5, 1)).rejects.toThrow()
    await expect.poll(() => endSleeping(database)).toBe(1)
    await failing
    expect(await pids(0, 8)).toHaveLength(8)
  })

  it('that many reads share answers all but the one that fails', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const inverses = async (values: readonly number[]) => {
      const answers = await Promise.allSettled(
        values.map(async (value) => (await database.reader.run(invert({ value }))).rows[0]),
      )
      return answers.map((each) => (each.status === 'fulfilled' ? each.value?.inverse : 'failed'))
    }
    expect(await inverses([1, 0, 2, 3, 0, 4])).toEqual([12, 'failed', 6, 4, 'failed', 3])
    // On connections that have prepared it before.
    expect(await inverses([0, 6, 0])).toEqual(['failed', 2, 'failed'])
  })

  it('runs a statement that failed when the connection prepared it', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    await expect(database.commit({ failing: invert({ value: 0 }) })).rejects.toThrow('zero')
    const { first, second } = await database.commit({
      first: invert({ value: 3 }),
      second: invert({ value: 4 }),
    })
    expect([first.rows, second.rows]).toEqual([[{ inverse: 4 }], [{ inverse: 3 }]])
  })

  it('runs a statement of which one run failed while others were under way', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const failing = database.transact((trx) =>
      Promise.all([1, 0, 2, 3].map((value) => trx.run(invert({ value })))),
    )
    await expect(failing).rejects.toThrow('zero')
    const again = database.transact((trx) => trx.run(invert({ value: 3 })))
    expect((await again).rows).toEqual([{ inverse: 4 }])
  })

  it('reads what a statement returns that another asked for and failed with', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    await database.transact(async (trx) => {
      const prepared = await trx.run(invert({ value: 1 }))
      expect(prepared.rows).toEqual([{ inverse: 12 }])
      await sql`savepoint before`.execute(trx)
      const failing = trx.run(invert({ value: 0 }))
      const undone = trx.run(undo({}))
      const following = trx.run(invert({ value: 2 }))
      await expect(failing).rejects.toThrow('zero')
      await undone
      expect((await following).rows).toEqual([{ inverse: 6 }])
    })
  })

  it('harms no other caller by a value that cannot be read', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const numbers = ['1', '9007199254740993', '2']
    const outcomes = async (ask: (number: string) => Promise<{ readonly rows: unknown }>) =>
      (await Promise.allSettled(numbers.map(ask))).map(({ status }) => status)
    const oneFails = ['fulfilled', 'rejected', 'fulfilled']
    expect(await outcomes((number) => database.reader.run(bigint({ number })))).toEqual(oneFails)
    const commit = async (number: string) =>
      (await database.commit({ found: bigint({ number }) })).found
    expect(await outcomes(commit)).toEqual(oneFails)
  })

  it('is not ended by a time that the URL gives to a query, once it is answered', async () => {
    const url = new URL(serverUrl)
    url.searchParams.set('query_timeout', '200')
    const database = await open(url.href)
    onTestFinished(() => database.close())
    await database.transact(async (trx) => {
      await trx.run(invert({ value: 1 }))
      await new Promise((resolve) => setTimeout(resolve, 400))
      expect((await trx.run(invert({ value: 2 }))).rows).toEqual([{ inverse: 6 }])
    })
  })

  it('answers reads that are asked as soon as others are answered', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const askInTurn = async (): Promise<number> => {
      let answered = 0
      for (let i = 0; i < 50; i++) {
        await database.reader.run(invert({ value: 1 }))
        answered += 1
      }
      return answered
    }
    for (const readers of [1, 4, 5, 40])
      expect(await Promise.all(Array.from({ length: readers }, askInTurn))).toEqual(
        Array(readers).fill(50),
      )
  })

  it('answers the reads that were asked before the closing', async () => {
    const database = await open()
    const asked = database.reader.run(invert({ value: 4 }))
    await database.close()
    expect((await asked).rows).toEqual([{ inverse: 3 }])
  })

  it('that falls silent fails what is asked on it, and is replaced', async () => {
    const line = await openLine()
    const database = await open(line.url, 500)
    await Promise.all([backendOf(database.reader), database.transact(backendOf)])
    const answers = await Promise.allSettled([
      database.transact(async (trx) => {
        await backendOf(trx)
        line.fallSilent()
        await backendOf(trx)
      }),
      database.transact(async (trx) => {
        await backendOf(trx)
        while (!line.isSilent()) await backendOf(trx)
        await backendOf(trx)
      }),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(backendOf(database.reader)).rejects.toThrow()
    line.restore()
    expect(await backendOf(database.reader)).toBeGreaterThan(0)
    expect(await database.transact(backendOf)).toBeGreaterThan(0)
    await database.close()
  })

  it('that falls silent does not hold the closing', async () => {
    const line = await openLine()
    const database = await open(line.url, 500)
    let isUnderWay: () => void = () => undefined
    const underWay = new Promise<void>((resolve) => (isUnderWay = resolve))
    const asked = database.transact(async (trx) => {
      await backendOf(trx)
      line.fallSilent()
      isUnderWay()
      await backendOf(trx)
    })
    await underWay
    await Promise.all([expect(asked).rejects.toThrow(), database.close()])
  })

  it('is not waited for without end: the server bounds statements and units of work that were left', async () => {
    const database = await open()
    onTestFinished(() => database.close())
    const limitOf = async (name: string) => {
      const { rows } = await sql<{ value: string }>`
        select current_setting(${name}) as value`.execute(database.reader)
      return rows[0]?.value
    }
    expect(await limitOf('statement_timeout')).toBe('25s')
    expect(await limitOf('idle_in_transaction_session_timeout')).toBe('25s')
  })
})
