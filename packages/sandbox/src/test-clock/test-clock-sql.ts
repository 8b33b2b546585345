import type { Database } from '@cofre/sql'
import type { SandboxTables } from '../database/sandbox-tables.js'

/** The only row. */
const ID = 1

export type TestClockStore = ReturnType<typeof createSqlTestClockStore>

export function createSqlTestClockStore(database: Database<SandboxTables>) {
  return {
    /** Milliseconds by which the sandbox is ahead of the machine. */
    async offsetMs(): Promise<number> {
      const row = await database.reader
        .selectFrom('test_clock')
        .select('offset_ms')
        .where('id', '=', ID)
        .executeTakeFirst()
      return row?.offset_ms ?? 0
    },

    /**
     * Adds to the offset and returns the sum; concurrent additions all count. Undefined, and
     * nothing added, if the sum would exceed `maxMs`.
     */
    add: (durationMs: number, maxMs: number): Promise<number | undefined> =>
      database.transact(async (trx) => {
        if (durationMs > maxMs) return undefined
        const row = await trx
          .insertInto('test_clock')
          .values({ id: ID, offset_ms: durationMs })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet((set) => ({
                offset_ms: set('test_clock.offset_ms', '+', set.ref('excluded.offset_ms')),
              }))
              .where('test_clock.offset_ms', '<=', maxMs - durationMs),
          )
          .returning('offset_ms')
          .executeTakeFirst()
        return row?.offset_ms
      }),
  }
}
