import type { Connection } from './connection.js'
import type { Database } from './database.js'

/**
 * A database whose units of work are all parts of one that is under way: several use cases are
 * committed together, or not at all.
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
    commit(statements, begun) {
      begun?.()
      return trx.runInOrder(statements)
    },
    close: () => Promise.resolve(),
  }
}
