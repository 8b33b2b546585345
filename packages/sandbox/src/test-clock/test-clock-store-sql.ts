import type { Database } from '@cofre/sql'
import type { SandboxTables } from '../database/sandbox-tables.js'
import type { TestClockStore } from './test-clock-store.js'

/** The only row. */
const ID = 1

export function createSqlTestClockStore(database: Database<SandboxTables>): TestClockStore {
  return {
    async offsetMs() {
      const row = await database.reader
        .selectFrom('test_clock')
        .select('offset_ms')
        .where('id', '=', ID)
        .executeTakeFirst()
      return row?.offset_ms ?? 0
    },

    add: (durationMs, maxMs) =>
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
