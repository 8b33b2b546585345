import type { Connection, Database } from '@cofre/sql'
import { type GatewayTables, archived } from '@cofre/gateway/room'

/** So few transactions in one unit of work that payments beside it do not wait. */
const BATCH_SIZE = 500

/**
 * Deletes attempts from before a time at notifications that are done, some at a time: they are a
 * record, and nothing reads them. Returns how many.
 */
export async function deleteOldAttempts(
  database: Database<GatewayTables>,
  beforeMs: number,
): Promise<number> {
  // What is archived meanwhile is met there.
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

/** The next transactions, by code, at whose notifications there were attempts. */
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
