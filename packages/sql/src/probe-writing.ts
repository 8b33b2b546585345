import { sql } from 'kysely'
import type { Database } from './database.js'

/** Proves that a database can be written, durably. Changes nothing, and may run beside anything. @throws the engine's error */
export async function probeWriting<Tables>({ dialect, transact }: Writable<Tables>): Promise<void> {
  await transact((unit) => sql.raw(dialect.emptyWrite).execute(unit))
}

type Writable<Tables> = Pick<Database<Tables>, 'dialect' | 'transact'>
