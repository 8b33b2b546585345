import { sql } from 'kysely'
import type { Database } from './database/database.js'

/**
 * Proves that a database can be written, durably, and has room for more. Changes nothing, and may
 * run beside anything.
 * @throws the engine's error
 */
export async function probeWriting<Tables>({ dialect, transact }: Writable<Tables>): Promise<void> {
  await transact(async (trx) => {
    for (const statement of dialect.writeProbe) await sql.raw(statement).execute(trx)
  })
}

type Writable<Tables> = Pick<Database<Tables>, 'dialect' | 'transact'>
