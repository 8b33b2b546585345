import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import type { Database, DatabaseOptions, Migrations } from './database/database.js'
import { OlderReleaseError } from './database/migrate.js'
import { inspectDatabase } from './inspect-database.js'
import { openDatabase } from './open-database.js'
import { queryPostgres, testPostgres } from './testing.js'

const MODULE = new URL('../dist/open-database.js', import.meta.url).href
const PROCESSES = 5

const folder = mkdtempSync(path.join(tmpdir(), 'cofre-alone-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

interface Tables {
  pix_notes: { id: number }
  notes: { id: number }
}

const OLDER: Migrations = {
  '0001_create': {
    up: (db) => db.schema.createTable('pix_notes').addColumn('id', 'integer').execute(),
  },
}
const rename = (db: Kysely<unknown>): Promise<void> =>
  db.schema.alterTable('pix_notes').renameTo('notes').execute()
const NEWER: Migrations = { ...OLDER, '0002_rename': { up: rename, isAlone: true } }

/** Sessions of other tests on the same database would count as older ones. */
async function ownPostgres(): Promise<string> {
  const server = await testPostgres()
  const name = `alone_${randomUUID().replaceAll('-', '')}`
  await queryPostgres(server, `create database ${name}`)
  return Object.assign(new URL(server), { pathname: name }).href
}

const ENGINES: readonly [string, () => Promise<string>][] = [
  ['sqlite', () => Promise.resolve(`sqlite:${path.join(folder, `${randomUUID()}.db`)}`)],
  ['postgres', ownPostgres],
]

describe.each(ENGINES)('A migration that is applied alone, on %s', (engine, urlOf) => {
  const newPlace = async () => ({ url: await urlOf(), schema: 'cofre' })
  const openOlder = async (place: Pick<DatabaseOptions, 'url' | 'schema'>) => {
    const older = await openDatabase<Tables>({ ...place, migrations: OLDER })
    await note(older, 'pix_notes', 1)
    return older
  }
  const note = (database: Database<Tables>, table: keyof Tables, id: number) =>
    database.transact((trx) => trx.insertInto(table).values({ id }).execute())

  it('is refused while an older release uses the database, and that release continues', async () => {
    const place = await newPlace()
    const older = await openOlder(place)
    const upgrade = openDatabase({ ...place, migrations: NEWER })
    await expect(upgrade).rejects.toThrow(OlderReleaseError)
    await note(older, 'pix_notes', 2)
    expect(await older.reader.selectFrom('pix_notes').select('id').execute()).toHaveLength(2)
    await older.close()
    const newer = await openDatabase<Tables>({ ...place, migrations: NEWER })
    expect(newer.migrated).toEqual(['0002_rename'])
    expect(await newer.reader.selectFrom('notes').select('id').execute()).toHaveLength(2)
    await newer.close()
  })

  it('is seen coming, and asks nothing of a new database or one that has it', async () => {
    const place = await newPlace()
    const look = () => inspectDatabase({ ...place, migrations: NEWER })
    const first = await openDatabase({ ...place, migrations: NEWER })
    const second = await openDatabase({ ...place, migrations: NEWER })
    expect([first.migrated, second.migrated]).toEqual([['0001_create', '0002_rename'], []])
    expect(await look()).toMatchObject({ isAloneNext: false })
    await first.close()
    await second.close()
    const before = await newPlace()
    await (await openOlder(before)).close()
    expect(await inspectDatabase({ ...before, migrations: NEWER })).toMatchObject({
      isAloneNext: true,
    })
  })

  it('leaves nothing behind where it fails, and the next start applies it', async () => {
    const place = await newPlace()
    await (await openOlder(place)).close()
    const interrupted = async (db: Kysely<unknown>): Promise<void> => {
      await rename(db)
      throw new Error('the disk is full')
    }
    const failing = { ...OLDER, '0002_rename': { up: interrupted, isAlone: true } }
    await expect(openDatabase({ ...place, migrations: failing })).rejects.toThrow('disk is full')
    const newer = await openDatabase<Tables>({ ...place, migrations: NEWER })
    expect(newer.migrated).toEqual(['0002_rename'])
    await newer.close()
  })

  it('is applied once where several processes of the new release start at one moment', async () => {
    const place = await newPlace()
    await (await openOlder(place)).close()
    const script = `
      const { openDatabase } = await import(${JSON.stringify(MODULE)})
      const migrations = {
        '0001_create': { up: () => Promise.reject(new Error('is applied')) },
        '0002_rename': {
          up: (db) => db.schema.alterTable('pix_notes').renameTo('notes').execute(),
          isAlone: true,
        },
      }
      await new Promise((resolve) => setTimeout(resolve, ${Date.now() + 1500} - Date.now()))
      const place = ${JSON.stringify(place)}
      const database = await openDatabase({ ...place, migrations })
      process.stdout.write(String(database.migrated.length))
      await new Promise((resolve) => setTimeout(resolve, 300))
      await database.close()
    `
    const run = async (): Promise<string> => {
      const args = ['--input-type=module', '-e', script]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      return stdout
    }
    const migrated = await Promise.all(Array.from({ length: PROCESSES }, run))
    expect(migrated.toSorted()).toEqual([...Array<string>(PROCESSES - 1).fill('0'), '1'])
  })

  if (engine === 'postgres')
    it('is applied while tables of other schemas are renamed', async () => {
      const place = await newPlace()
      const tables = Array.from(
        { length: 300 },
        (_, index) => `create table other.of_${index} (id int)`,
      )
      await queryPostgres(place.url, ['create schema other', ...tables].join(';'))
      const stop = new AbortController()
      const client = new pg.Client(place.url)
      await client.connect()
      const renaming = (async () => {
        while (!stop.signal.aborted) {
          await client.query('alter table other.of_0 rename to renamed')
          await client.query('alter table other.renamed rename to of_0')
        }
        await client.end()
      })()
      const schemas = Array.from({ length: 6 }, (_, index) => `cofre_${index}`)
      for (const schema of schemas)
        await (await openDatabase({ ...place, schema, migrations: NEWER })).close()
      stop.abort()
      await expect(renaming).resolves.toBeUndefined()
    })

  if (engine === 'postgres')
    it('does not mind other schemas, and names the sessions that it minds', async () => {
      const place = await newPlace()
      const other = { ...place, schema: 'cofre_sandbox' }
      const beside = await openOlder(other)
      await (await openOlder(place)).close()
      const url = Object.assign(new URL(place.url), { search: '?application_name=shop' }).href
      const unknown = await openDatabase({ ...place, url, migrations: OLDER })
      await expect(openDatabase({ ...place, migrations: NEWER })).rejects.toThrow('named shop')
      await unknown.close()
      await (await openDatabase({ ...place, migrations: NEWER })).close()
      await beside.close()
    })
})
