import { mkdtempSync, readFileSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ownServer } from '../test/postgres-server.js'
import { inspectDatabase } from './inspect-database.js'
import { NOTES_MIGRATIONS, type NotesTables } from './notes.fixture.js'
import { openDatabase } from './open-database.js'

it('A really damaged page of PostgreSQL is noted when it is read, and counted by the server', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-postgres-'))
  // The server runs as another user when the tests run as root.
  chmodSync(folder, 0o755)
  const { server, url } = await ownServer(folder)
  const options = { url, schema: 'test', migrations: NOTES_MIGRATIONS }
  try {
    await server.start()
    const whole = await openDatabase<NotesTables>(options)
    await whole.transact((trx) =>
      trx
        .insertInto('notes')
        .values({ id: 7, text: 'x'.repeat(1000) })
        .execute(),
    )
    const { rows } = await sql<{ file: string }>`
      select pg_relation_filepath('notes') as file`.execute(whole.reader)
    expect((await inspectDatabase(options)).damagedPages).toBe(0)
    await whole.close()
    await server.stop()
    const file = path.join(folder, 'data', rows[0]?.file ?? '')
    const bytes = readFileSync(file)
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 0xff
    writeFileSync(file, bytes)

    await server.start()
    const damaged = await openDatabase<NotesTables>(options)
    expect(damaged.damaged.aborted).toBe(false)
    await expect(damaged.reader.selectFrom('notes').selectAll().execute()).rejects.toMatchObject({
      code: 'XX001',
    })
    expect(damaged.damaged.aborted).toBe(true)
    await damaged.close()
    expect((await inspectDatabase(options)).damagedPages).toBeGreaterThan(0)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
