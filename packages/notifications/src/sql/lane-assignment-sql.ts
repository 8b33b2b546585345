// Assigns lanes to notifications that release 0.2 has written, or is writing meanwhile.
import type { Database } from '@cofre/sql'
import { type GatewayTables, laneOf, storedNotification } from '@cofre/gateway/room'

const AT_ONCE = 500

/** In batches: the rest follows at the next claim. */
export async function assignLanes(database: Database<GatewayTables>): Promise<void> {
  const { reader } = database
  const waiting = reader
    .selectFrom('notifications')
    // Literal, so that PostgreSQL uses the partial index.
    .where('done_at', 'is', null)
    .where('lane', 'is', null)
    .orderBy('transaction_code')
  if ((await reader.poll(waiting.select('transaction_code').limit(1))).length === 0) return
  const rows = await waiting.selectAll().limit(AT_ONCE).execute()
  const byLane = Map.groupBy(rows, (row) => laneOf(storedNotification.read(row)))
  await database.transact(async (trx) => {
    for (const [lane, some] of byLane)
      await trx
        .updateTable('notifications')
        .set({ lane })
        .where((of) =>
          of(
            of.refTuple('transaction_code', 'position'),
            'in',
            some.map((row) => of.tuple(row.transaction_code, row.position)),
          ),
        )
        .where('lane', 'is', null)
        .execute()
  })
}
