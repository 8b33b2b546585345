import type { Database } from '@cofre/sql'
import { databaseCheck } from './readiness-checks.js'
import type { Telemetry } from './telemetry.js'

/**
 * Has `/readyz` and the metrics tell whether a database answers and can be written, in a process of whichever role; without a
 * name for readiness the metrics alone.
 */
export function watchDatabase<Tables>(
  { readiness, databases }: Pick<Telemetry, 'readiness' | 'databases'>,
  names: { readonly readiness: string | undefined; readonly metric: string },
  database: Database<Tables>,
): void {
  const check = databaseCheck(database)
  if (names.readiness !== undefined) readiness.add(`database ${names.readiness}`, check)
  databases.set(names.metric, check)
}
