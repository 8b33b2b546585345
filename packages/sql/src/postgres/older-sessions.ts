import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { DatabaseOptions } from '../database/database.js'
import { OlderReleaseError } from '../database/migrate.js'

type Form = Pick<DatabaseOptions, 'schema' | 'migrations'>

const PRODUCT = 'cofre'
const NUMBER_DIGITS = 4
const ENDING_WAITED_MS = 2000
const RETRY_MS = 100
const LISTED_MAX = 4

/**
 * The name of a schema's sessions on the server. It holds the number of the last migration that is
 * applied alone: processes that don't know it can't continue after it.
 */
export function sessionName(schema: string, migrations: DatabaseOptions['migrations']): string {
  const alone = Object.keys(migrations).filter((name) => migrations[name]?.isAlone === true)
  return [PRODUCT, schema, alone.at(-1)?.slice(0, NUMBER_DIGITS) ?? ''].join(' ').trim()
}

/**
 * Refuses while this user has sessions on the database whose names show neither the coming form nor
 * another schema. Releases up to 0.2 name no sessions. Call it before migrating. It waits for
 * sessions that are just ending.
 * @throws OlderReleaseError that lists the sessions
 */
export async function refuseOlderSessions(database: Kysely<unknown>, form: Form): Promise<void> {
  const deadlineMs = performance.now() + ENDING_WAITED_MS
  for (;;) {
    const sessions = await olderSessions(database, form)
    if (sessions.length === 0) return
    if (performance.now() >= deadlineMs) throw new OlderReleaseError(listed(sessions))
    await pause(RETRY_MS)
  }
}

function listed(sessions: readonly string[]): string {
  const more = sessions.length - LISTED_MAX
  const first = sessions.slice(0, LISTED_MAX).join(', ')
  return more > 0 ? `${first} and ${more} more` : first
}

async function olderSessions(database: Kysely<unknown>, { schema, migrations }: Form) {
  const { rows } = await sql<{ pid: number; name: string; address: string | null }>`
    select pid, application_name as name, host(client_addr) as address
    from pg_stat_activity
    where datname = current_database() and usename = current_user
      and backend_type = 'client backend'
      and application_name <> ${sessionName(schema, migrations)}
      and (split_part(application_name, ' ', 1) <> ${PRODUCT}
        or split_part(application_name, ' ', 2) = ${schema})
    order by pid`.execute(database)
  return rows.map(({ pid, name, address }) =>
    [`session ${pid}`, name && `named ${name}`, address && `from ${address}`]
      .filter(Boolean)
      .join(' '),
  )
}
