// Makes a delivery of each event for each endpoint of its store, beside the payments.
import { type Connection, type Database, namedLock } from '@cofre/sql'
import type { GatewayTables } from '@cofre/gateway/room'
import { sql } from 'kysely'
import { lockOpen } from './delivery-order-sql.js'
import { endpointOf } from './endpoint-store-sql.js'

type Db = Connection<GatewayTables>
type DeliveryRow = GatewayTables['event_deliveries']

const AT_ONCE = 200

/** Taken before deliveries are made, and before events are deleted with theirs. */
export const FAN_OUT_TURN = namedLock('event-deliveries')

/** Makes the deliveries of some events. False if none waits. */
export async function fanOut(database: Database<GatewayTables>): Promise<boolean> {
  // Usually none waits, and a read is enough to find out.
  const { reader } = database
  if ((await reader.poll(waiting(reader, 1))).length === 0) return false
  return await database.transact(async (trx) => {
    // In turns, so that an earlier event of a payment is never behind a later one.
    await trx.run(FAN_OUT_TURN)
    const events = await waiting(trx, AT_ONCE).execute()
    await makeDeliveries(trx, events)
    return events.length > 0
  })
}

/** Makes the deliveries of the events of one payment or card. */
export async function fanOutSubject(trx: Db, storeId: string, subject: string): Promise<void> {
  await trx.run(FAN_OUT_TURN)
  const events = await waiting(trx, AT_ONCE)
    .where('merchant_id', '=', storeId)
    .where('subject', '=', subject)
    .execute()
  await makeDeliveries(trx, events)
}

async function makeDeliveries(trx: Db, events: readonly WaitingEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = await deliveryRows(trx, events)
  if (rows.length > 0)
    await trx
      .insertInto('event_deliveries')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await trx
    .updateTable('events')
    .set({ waiting: 0 })
    .where((of) =>
      of(
        of.refTuple('merchant_id', 'subject', 'position'),
        'in',
        events.map((event) => of.tuple(event.merchant_id, event.subject, event.position)),
      ),
    )
    .execute()
}

function waiting(db: Db, limit: number) {
  return (
    db
      .selectFrom('events')
      .select(['merchant_id', 'subject', 'position', 'type', 'next_attempt_at'])
      // Literal, so that PostgreSQL uses the partial index.
      .where('waiting', '=', sql.lit(1))
      .orderBy('subject')
      .orderBy('position')
      .limit(limit)
  )
}

type WaitingEvent = Awaited<ReturnType<ReturnType<typeof waiting>['execute']>>[number]

async function deliveryRows(trx: Db, events: readonly WaitingEvent[]): Promise<DeliveryRow[]> {
  const stores = [...new Set(events.map((event) => event.merchant_id))]
  const found = await trx
    .selectFrom('event_endpoints')
    .selectAll()
    .where('merchant_id', 'in', stores)
    .where('enabled', '=', 1)
    .execute()
  const endpoints = Map.groupBy(found.map(endpointOf), ({ storeId }) => storeId)
  const rows = events.flatMap((event) =>
    (endpoints.get(event.merchant_id) ?? [])
      .filter(({ types }) => types === undefined || types.some((type) => type === event.type))
      .map(({ code }) => newDelivery(code, event)),
  )
  const codes = found.map(({ code }) => code)
  const subjects = [...new Set(events.map(({ subject }) => subject))]
  const open = await lockOpen(trx, codes, subjects)
  const taken = new Set(open.map(({ code, subject }) => `${code} ${subject}`))
  return rows.map((row) => {
    const line = `${row.endpoint_code} ${row.subject}`
    const blocked = taken.has(line) ? 1 : 0
    taken.add(line)
    return { ...row, blocked }
  })
}

/** A delivery that was not tried yet, the first of its subject. */
export function newDelivery(
  endpointCode: string,
  event: Pick<DeliveryRow, 'subject' | 'position' | 'next_attempt_at'>,
): DeliveryRow {
  return {
    endpoint_code: endpointCode,
    subject: event.subject,
    position: event.position,
    attempts: 0,
    next_attempt_at: event.next_attempt_at,
    lease_until: null,
    attempted_at: null,
    status_code: null,
    error: null,
    done_at: null,
    blocked: 0,
    repeated: 0,
  }
}
