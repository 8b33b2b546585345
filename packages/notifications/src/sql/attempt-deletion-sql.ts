import type { Connection, Database } from '@cofre/sql'
import { type GatewayTables, archived } from '@cofre/gateway/room'

/** Small enough that payments do not wait for the unit of work. */
const BATCH_SIZE = 500

/**
 * Deletes attempts at finished notifications from before a time, in batches: they are a record that
 * no process reads. Returns their number.
 */
export async function deleteOldAttempts(
  database: Database<GatewayTables>,
  beforeMs: number,
): Promise<number> {
  // A row that is archived meanwhile is found in the archive.
  const outside = await deleteIn(database, beforeMs, (db) => db)
  return outside + (await deleteIn(database, beforeMs, archived))
}

type Place = (db: Connection<GatewayTables>) => Connection<GatewayTables>

async function deleteIn(
  database: Database<GatewayTables>,
  beforeMs: number,
  place: Place,
): Promise<number> {
  let deleted = 0
  for (let last = -1; ;) {
    const codes = await codesAfter(place(database.reader), last)
    const until = codes.at(-1)
    if (until === undefined) return deleted
    const from = last
    deleted += await database.transact((trx) =>
      deleteBetween(place(trx), { from, until, beforeMs }),
    )
    last = until
  }
}

/** The next transactions, by code, with attempts at their notifications. */
async function codesAfter(
  reader: Connection<GatewayTables>,
  code: number,
): Promise<readonly number[]> {
  const rows = await reader
    .selectFrom('notification_attempts')
    .select('transaction_code')
    .distinct()
    .where('transaction_code', '>', code)
    .orderBy('transaction_code')
    .limit(BATCH_SIZE)
    .execute()
  return rows.map((row) => row.transaction_code)
}

interface Range {
  readonly from: number
  readonly until: number
  readonly beforeMs: number
}

async function deleteBetween(
  trx: Connection<GatewayTables>,
  { from, until, beforeMs }: Range,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('notification_attempts')
    .where('transaction_code', '>', from)
    .where('transaction_code', '<=', until)
    .where('at', '<', beforeMs)
    .where((of) =>
      of.exists(
        of
          .selectFrom('notifications')
          .select('position')
          .whereRef('notifications.transaction_code', '=', 'notification_attempts.transaction_code')
          .whereRef('notifications.position', '=', 'notification_attempts.position')
          .where('done_at', 'is not', null),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
