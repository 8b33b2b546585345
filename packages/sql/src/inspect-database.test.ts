import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import type { Migrations } from './database/database.js'
import { inspectDatabase } from './inspect-database.js'
import { ForeignDatabaseError, NewerDatabaseError } from './database/migrate.js'
import { openDatabase } from './open-database.js'
import { testPostgres } from './testing.js'

const folder = mkdtempSync(path.join(tmpdir(), 'cofre-inspect-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const create = (table: string): Migrations[string] => ({
  up: (database) => database.schema.createTable(table).addColumn('id', 'integer').execute(),
})
const [FIRST, SECOND]: [Migrations, Migrations] = [
  { '0001_a': create('a') },
  { '0001_a': create('a'), '0002_b': create('b') },
]

describe.each([
  ['sqlite', () => Promise.resolve(`sqlite:${path.join(folder, `${randomUUID()}.db`)}`)],
  ['postgres', testPostgres],
])('A look at a database on %s', (_, urlOf) => {
  it('returns what the next opening will do, and changes nothing', async () => {
    const [url, schema] = [await urlOf(), `inspect_${randomUUID().replaceAll('-', '')}`]
    const look = (migrations: Migrations) => inspectDatabase({ url, schema, migrations })
    expect(await look(FIRST)).toMatchObject({ isNew: true, missing: ['0001_a'], unknown: [] })
    expect(await look(FIRST)).toMatchObject({ isNew: true })
    const opened = await openDatabase({ url, schema, migrations: FIRST })
    expect(opened.migrated).toEqual(['0001_a'])
    await opened.close()
    expect(await look(FIRST)).toMatchObject({ isNew: false, missing: [], notWritable: undefined })
    expect(await look(SECOND)).toMatchObject({ missing: ['0002_b'], unknown: [] })
    const upgraded = await openDatabase({ url, schema, migrations: SECOND })
    expect(upgraded.migrated).toEqual(['0002_b'])
    await upgraded.close()
    expect(await look(FIRST)).toMatchObject({ missing: [], unknown: ['0002_b'], isForeign: false })
    // An older version reports a newer database, not a corrupted one.
    const downgrade = openDatabase({ url, schema, migrations: FIRST })
    await expect(downgrade).rejects.toThrow(NewerDatabaseError)
    await expect(downgrade).rejects.toMatchObject({ unknown: ['0002_b'] })
    // No version helps if two databases were exchanged.
    const other = { '0001_x': create('x') }
    expect(await look(other)).toMatchObject({ unknown: ['0001_a', '0002_b'], isForeign: true })
    const exchanged = openDatabase({ url, schema, migrations: other })
    await expect(exchanged).rejects.toThrow(ForeignDatabaseError)
  })
})

describe('A look at a database', () => {
  it('creates no file', async () => {
    const file = path.join(folder, 'none.db')
    await inspectDatabase({ url: `sqlite:${file}`, schema: 'x', migrations: FIRST })
    expect(existsSync(file)).toBe(false)
  })

  it('counts a file with another writer as writable', async () => {
    const file = path.join(folder, 'busy.db')
    const options = { url: `sqlite:${file}`, schema: 'x', migrations: FIRST }
    await (await openDatabase(options)).close()
    const writer = new DatabaseSync(file)
    writer.exec('BEGIN IMMEDIATE')
    expect(await inspectDatabase(options)).toMatchObject({ notWritable: undefined })
    writer.close()
  })

  it('fails on what is no database', async () => {
    const file = path.join(folder, 'text.db')
    writeFileSync(file, 'this is no database, and long enough not to be taken for an empty one')
    await expect(
      inspectDatabase({ url: `sqlite:${file}`, schema: 'x', migrations: FIRST }),
    ).rejects.toThrow('not a database')
  })

  it('compares the clocks of server and machine', async () => {
    const url = await testPostgres()
    const { clockAheadMs } = await inspectDatabase({ url, schema: 'x', migrations: FIRST })
    expect(Math.abs(clockAheadMs ?? Number.NaN)).toBeLessThan(5000)
  })
})
