import { type OutageMessages, createOutageLog } from '@cofre/jobs'
import type { Database } from '@cofre/sql'
import { RESTORE_ADVICE } from '../opened-database.js'
import type { ProcessParts } from '../process-parts.js'
import { databaseCheck } from './readiness-checks.js'

const MESSAGES: OutageMessages = {
  begins: 'a database does not answer, or cannot be written',
  goesOn: 'a database still does not answer, or cannot be written',
  ends: 'a database answers again, and can be written',
}

/**
 * Has `/readyz` and the metrics tell whether a database answers, can be written and is whole, in a process of whichever role,
 * and the log tell of outages that they find; without a name for readiness the metrics and the log alone. Damage, once reported, stays told until a start that finds none.
 */
export function watchDatabase<Tables>(
  { telemetry, log }: Pick<ProcessParts, 'telemetry' | 'log'>,
  names: { readonly readiness: string | undefined; readonly metric: string },
  database: Database<Tables>,
): void {
  const { readiness, databases } = telemetry
  const fields = { database: names.metric }
  const { damaged } = database
  damaged.addEventListener('abort', () => {
    log.error(
      { ...fields, error: damaged.reason as unknown },
      `a database is damaged: ${RESTORE_ADVICE}`,
    )
  })
  const outage = createOutageLog(fields, MESSAGES, log)
  const look = databaseCheck(database)
  const check = async (): Promise<void> => {
    if (damaged.aborted) throw new Error('the database is damaged', { cause: damaged.reason })
    try {
      await look()
    } catch (error) {
      outage.failed(error)
      throw error
    }
    outage.succeeded()
  }
  if (names.readiness !== undefined) readiness.add(`database ${names.readiness}`, check)
  databases.set(names.metric, check)
}
