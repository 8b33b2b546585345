import type { Connection, StatementResult, StatementResults, Statement } from './connection.js'
import type { Database } from './database.js'

/**
 * A database whose units of work are all parts of one that is under way: what several use cases do
 * is committed together, or not at all.
 */
export function unitDatabase<Tables>(
  { damaged, dialect, migrated }: Pick<Database<Tables>, 'damaged' | 'dialect' | 'migrated'>,
  trx: Connection<Tables>,
): Database<Tables> {
  return {
    damaged,
    dialect,
    migrated,
    reader: trx,
    transact: (work) => work(trx),
    async commit<Statements extends Readonly<Record<string, Statement>>>(
      statements: Statements,
      begun?: () => void,
    ) {
      begun?.()
      const results: Record<string, StatementResult> = {}
      for (const [name, statement] of Object.entries(statements))
        results[name] = await trx.run(statement)
      return results as StatementResults<Statements>
    },
    close: () => Promise.resolve(),
  }
}
