// The two engines: files of the embedded default, and a real PostgreSQL server on the same machine.
import process from 'node:process'
import { startPostgres as startServer } from '../../packages/sql/test/postgres-server.ts'

async function startPostgres() {
  const stop = await startServer()
  const url = process.env.COFRE_TEST_POSTGRES_URL
  return { environ: { COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url }, stop }
}

export const ENGINES = [
  {
    name: 'SQLite',
    paymentTarget: '>= 0.5',
    start: () => Promise.resolve({ environ: {}, stop: () => Promise.resolve() }),
  },
  { name: 'PostgreSQL', paymentTarget: '>= 0.25', start: startPostgres },
]
