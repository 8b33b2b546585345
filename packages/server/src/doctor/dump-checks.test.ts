import { describe, expect, it } from 'vitest'
import { testPostgres } from '@cofre/sql/testing'
import { readConfig } from '../config/config.js'
import { DATABASES } from '../installation/databases.js'
import { checkDumps } from './dump-checks.js'

const server = readConfig({ COFRE_DATABASE_URL: await testPostgres() }, 'serve')
const { serverVersion = 0 } = await DATABASES.production.inspect(server)

describe('The doctor’s finding on pg_dump', () => {
  it.each([
    [
      `pg_dump (PostgreSQL) ${serverVersion - 1}.9 (Debian ${serverVersion - 1}.9-0+deb12u1)`,
      'warning',
      'refuses the server',
    ],
    [`pg_dump (PostgreSQL) ${serverVersion}.0`, 'ok', 'can back up'],
    [`pg_dump (PostgreSQL) ${serverVersion + 1}.1`, 'ok', 'can back up'],
    ['nonsense', 'warning', 'does not print its version'],
    ['absent', 'warning', 'is not on this machine'],
    ['silent', 'warning', 'did not answer'],
  ])('for %s: %s', async (printed, level, text) => {
    const found = await checkDumps(server, [DATABASES.production], () => Promise.resolve(printed))
    expect(found).toMatchObject({ level, finding: expect.stringContaining(text) as string })
  })

  it('is absent if every database is a file', async () => {
    const files = readConfig({}, 'serve')
    expect(await checkDumps(files, Object.values(DATABASES))).toBeUndefined()
  })
})
