// Deletes events that are too old, and deliveries of endpoints that are gone, some at a time.
import { type Connection, type Database } from '@cofre/sql'
import type { GatewayTables } from '@cofre/gateway/room'
import { sql } from 'kysely'
import { unblockFirsts } from './delivery-order-sql.js'

type Db = Connection<GatewayTables>

const AT_ONCE = 500

/** Deletes all events from before a time, with their deliveries. Returns their number. */
export async function forgetEvents(
  database: Database<GatewayTables>,
  beforeMs: number,
): Promise<number> {
  const stores = await database.reader.selectFrom('merchants').select('id').execute()
  let deleted = 0
  for (const { id } of stores) {
    // Usually none is too old, and a read is enough to find out.
    while ((await oldOf(database.reader, id, beforeMs).limit(1).execute()).length > 0)
      deleted += await database.transact((trx) => forgetSome(trx, id, beforeMs))
  }
  return deleted
}

function oldOf(db: Db, storeId: string, beforeMs: number) {
  return db
    .selectFrom('events')
    .select(['subject', 'position'])
    .where('merchant_id', '=', storeId)
    .where('created_at', '<', beforeMs)
}

async function forgetSome(trx: Db, storeId: string, beforeMs: number): Promise<number> {
  const old = await oldOf(trx, storeId, beforeMs).orderBy('created_at').limit(AT_ONCE).execute()
  if (old.length === 0) return 0
  const subjects = [...new Set(old.map(({ subject }) => subject))]
  const endpoints = trx
    .selectFrom('event_endpoints')
    .select('code')
    .where('merchant_id', '=', storeId)
  await trx
    .deleteFrom('event_deliveries')
    .where('endpoint_code', 'in', endpoints)
    // For the index: PostgreSQL searches none by pairs.
    .where('subject', 'in', subjects)
    .where((of) =>
      of(
        of.refTuple('subject', 'position'),
        'in',
        old.map((one) => of.tuple(one.subject, one.position)),
      ),
    )
    .execute()
  await trx
    .deleteFrom('events')
    .where('merchant_id', '=', storeId)
    .where('subject', 'in', subjects)
    .where((of) =>
      of(
        of.refTuple('subject', 'position'),
        'in',
        old.map((one) => of.tuple(one.subject, one.position)),
      ),
    )
    .execute()
  await unblockFirsts(trx, storeId, subjects)
  return old.length
}

/** Deletes the deliveries of deleted endpoints. */
export async function forgetDeliveries(database: Database<GatewayTables>): Promise<void> {
  for (const code of await deletedEndpoints(database.reader)) {
    const some = (db: Db) =>
      db
        .selectFrom('event_deliveries')
        .select(['subject', 'position'])
        .where('endpoint_code', '=', code)
    while ((await some(database.reader).limit(1).execute()).length > 0)
      await database.transact(async (trx) => {
        const rows = await some(trx).limit(AT_ONCE).execute()
        if (rows.length === 0) return
        await trx
          .deleteFrom('event_deliveries')
          .where('endpoint_code', '=', code)
          .where((of) =>
            of(
              of.refTuple('subject', 'position'),
              'in',
              rows.map((one) => of.tuple(one.subject, one.position)),
            ),
          )
          .execute()
      })
  }
}

/** Reads one entry of an index for each endpoint, however many deliveries there are. */
async function deletedEndpoints(reader: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly code: string }>`
    with recursive known(code) as (
      select min(endpoint_code) from event_deliveries
      union all
      select (select min(endpoint_code) from event_deliveries where endpoint_code > known.code)
      from known where known.code is not null
    )
    select known.code from known
    where known.code is not null
      and not exists (select 1 from event_endpoints where event_endpoints.code = known.code)
  `.execute(reader)
  return rows.map(({ code }) => code)
}
