// Long: fail-over. A primary is killed, and its standby promoted.
import { once } from 'node:events'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type TestCertificate, makeCertificate } from '../../../provider-kit/test/certificates.js'
import { type PostgresPair, startPostgresPair, urlOfServers } from '../../test/postgres-pair.js'
import { prepare } from '../database/connection.js'
import type { Database } from '../database/database.js'
import { isUnavailable } from '../errors/unavailability.js'
import { inspectDatabase } from '../inspect-database.js'
import { NOTES_MIGRATIONS, type NotesTables } from '../notes.fixture.js'
import { openDatabase } from '../open-database.js'
import { queryPostgres, testPostgres } from '../testing.js'
import { createPool } from './primary-pool.js'

const PAIR_TIMEOUT_MS = 60_000

let pair: PostgresPair
beforeAll(async () => {
  pair = await startPostgresPair({ durable: false })
}, PAIR_TIMEOUT_MS)
afterAll(() => pair.dispose())

const insertNote = prepare<NotesTables, { id: number }, never>((db, { id }) =>
  db.insertInto('notes').values({ id, text: 'x' }),
)

const optionsAt = (url: string) => ({ url, schema: 'failover', migrations: NOTES_MIGRATIONS })

async function open(url: string): Promise<Database<NotesTables>> {
  const database = await openDatabase<NotesTables>(optionsAt(url))
  onTestFinished(() => database.close())
  return database
}

async function portOf(database: Database<NotesTables>): Promise<string> {
  const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(
    database.reader,
  )
  return String(rows[0]?.port)
}

const portIn = ({ url }: { readonly url: string }): string => new URL(url).port

/** A host that accepts connections and never answers. */
async function silentHost(): Promise<{ readonly url: string }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `postgres://cofre:cofre-test@127.0.0.1:${port ?? 0}/postgres` }
}

const unresolved = { url: 'postgres://cofre:cofre-test@nowhere.invalid:5432/postgres' }

/** Makes the primary show a certificate for localhost alone. @returns the authority's file */
async function serveTls(authority: TestCertificate): Promise<string> {
  const setup = { name: 'localhost', kind: 'server', issuer: authority } as const
  const { certificatePem, keyPem } = makeCertificate({ ...setup, dnsNames: ['localhost'] })
  const [{ data_directory: folder }] = (await queryPostgres(
    pair.primary.url,
    'show data_directory',
  )) as [{ data_directory: string }]
  const { uid, gid } = statSync(folder)
  const files = {
    'server.key': keyPem,
    'server.crt': certificatePem,
    'root.crt': authority.certificatePem,
  }
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    chownSync(file, uid, gid)
  }
  await queryPostgres(pair.primary.url, 'alter system set ssl = on')
  await queryPostgres(pair.primary.url, 'select pg_reload_conf()')
  return path.join(folder, 'root.crt')
}

/** Writes ids without end, in both ways, until it is stopped. */
function writeWithoutEnd(database: Database<NotesTables>) {
  const acknowledged: number[] = []
  const failures: unknown[] = []
  let next = 1
  let isOver = false
  const writing = Array.from({ length: 8 }, async (_, writer) => {
    while (!isOver) {
      const id = next++
      try {
        const note = insertNote({ id })
        if (writer % 2 === 0) await database.commit({ note })
        else await database.transact((trx) => trx.run(note))
        acknowledged.push(id)
      } catch (error) {
        failures.push(error)
        await pause(10)
      }
    }
  })
  return {
    acknowledged,
    failures,
    async stop() {
      isOver = true
      await Promise.all(writing)
    },
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10)
}

describe('A URL of several hosts', () => {
  it.each([
    ['a standby', () => Promise.resolve(pair.standby)],
    ['a name that does not resolve', () => Promise.resolve(unresolved)],
    ['a host that is silent', silentHost],
  ])('is opened at the one that takes writes, past %s', async (_, other) => {
    const database = await open(urlOfServers([await other(), pair.primary]))
    expect(await portOf(database)).toBe(portIn(pair.primary))
  })

  it('of which none takes writes is unavailability, which names each and no password', async () => {
    const connectionString = urlOfServers([pair.standby, unresolved])
    const pool = createPool({ connectionString, connectionTimeoutMillis: 300 })
    const failure: unknown = await pool.connect().catch((error: unknown) => error)
    await pool.end()
    expect(isUnavailable(failure)).toBe(true)
    const { message } = failure as Error
    expect(message).toContain(`${pair.standby.name}: the server is a standby`)
    expect(message).toContain('nowhere.invalid:5432: getaddrinfo')
    expect(message).not.toContain('cofre-test')
  })

  it('is not waited for where nothing passes by itself, like a wrong password', async () => {
    const url = urlOfServers([pair.primary, pair.standby]).replace('cofre-test', 'other')
    await expect(open(url)).rejects.toMatchObject({ code: '28P01' })
  })

  it('has each host show a certificate for the name that the URL has', async () => {
    const authority = makeCertificate({ name: 'Databases', kind: 'authority' })
    const file = await serveTls(authority)
    const { url, name } = pair.primary
    const byName = { url: url.replace('127.0.0.1', 'localhost') }
    const tls = `sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`
    const both = `${urlOfServers([pair.primary, byName])}?${tls}`
    const database = await open(both)
    const { rows } = await sql<{ ssl: boolean }>`
      select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(database.reader)
    expect(rows).toEqual([{ ssl: true }])
    expect((await inspectDatabase(optionsAt(both))).servers).toMatchObject([
      { name, state: 'away', reason: expect.stringContaining('IP') as string },
      { name: name.replace('127.0.0.1', 'localhost'), state: 'primary' },
    ])
  })

  it('is looked at: which host is the primary, and whether it waits for the standby', async () => {
    const { primary, standby } = pair
    const inspection = await inspectDatabase(
      optionsAt(urlOfServers([unresolved, standby, primary])),
    )
    expect(inspection.servers).toMatchObject([
      { name: 'nowhere.invalid:5432', state: 'away' },
      { name: standby.name, state: 'standby' },
      { name: primary.name, state: 'primary' },
    ])
    expect(inspection).toMatchObject({ waitsForStandby: true, notWritable: undefined })
    const none = inspectDatabase(optionsAt(urlOfServers([standby, unresolved])))
    await expect(none).rejects.toThrow('no server of PostgreSQL takes writes')
  })

  it('acknowledges no commit whose wait for the standby is cancelled', async () => {
    const database = await open(pair.primary.url)
    await pair.standby.stop()
    onTestFinished(() => pair.standby.start())
    const commits = Promise.allSettled([
      database.commit({ note: insertNote({ id: -1 }) }),
      database.transact((trx) => trx.run(insertNote({ id: -2 }))),
    ])
    const over = new AbortController()
    void commits.then(() => {
      over.abort()
    })
    while (!over.signal.aborted) {
      await queryPostgres(
        pair.primary.url,
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      )
      await pause(20)
    }
    const failures = (await commits).map(
      (commit) => commit.status === 'rejected' && isUnavailable(commit.reason),
    )
    expect(failures).toEqual([true, true])
  })

  it(
    'keeps every acknowledged commit, and continues, when its primary is killed and the standby promoted',
    async () => {
      const database = await open(urlOfServers([pair.primary, pair.standby]))
      const beside = await open(urlOfServers([pair.standby, pair.primary]))
      const writes = writeWithoutEnd(database)
      await until(() => writes.acknowledged.length > 100)
      await pair.separate()
      await pair.primary.kill()
      await pair.promote()
      const before = writes.acknowledged.length
      await until(() => writes.acknowledged.length > before + 100)
      await writes.stop()

      expect(await portOf(database)).toBe(portIn(pair.standby))
      expect(await portOf(beside)).toBe(portIn(pair.standby))
      const kept = new Set(
        (await beside.reader.selectFrom('notes').select('id').execute()).map(({ id }) => id),
      )
      expect(writes.acknowledged.filter((id) => !kept.has(id))).toEqual([])
      expect(writes.failures.filter((error) => !isUnavailable(error))).toEqual([])
    },
    PAIR_TIMEOUT_MS,
  )

  it(
    'of which the former primary comes back and takes writes, too, is opened at the promoted one',
    async () => {
      await pair.primary.start()
      for (const servers of [
        [pair.primary, pair.standby],
        [pair.standby, pair.primary],
      ])
        expect(await portOf(await open(urlOfServers(servers)))).toBe(portIn(pair.standby))
    },
    PAIR_TIMEOUT_MS,
  )

  it('of which two take writes that were never promoted is opened at the first', async () => {
    const other = { url: await testPostgres() }
    const database = await open(urlOfServers([pair.primary, other]))
    expect(await portOf(database)).toBe(portIn(pair.primary))
  })
})
