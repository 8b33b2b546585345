import { type EventType, type ListPage, pageOf } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import type { GatewayTables } from '@cofre/gateway/room'
import { sql } from 'kysely'
import { type EventKey, type StoreEvent, eventCode } from '../model/event.js'
import type { EventDelivery } from '../model/delivery.js'
import { EVENT_CURSOR, type EventQuery } from '../model/event-query.js'

type Db = Connection<GatewayTables>
type EventRow = GatewayTables['events']

/** Events that one page reads at most: of a rare type, the rest is for the next page. */
const WINDOW = 2000

/** The newest first. */
export async function listEvents(
  reader: Db,
  storeId: string,
  query: EventQuery,
): Promise<ListPage<StoreEvent>> {
  const { type, limit } = query
  const rows = await pageRows(reader, storeId, query).execute()
  const found = type === undefined ? rows : rows.filter((row) => row.type === type)
  const page = pageOf(found.map(eventOfRow), limit, EVENT_CURSOR.of)
  const last = rows.at(-1)
  const isCutShort = type !== undefined && page.next === undefined && rows.length === WINDOW
  return isCutShort && last !== undefined
    ? { ...page, next: EVENT_CURSOR.of(eventOfRow(last)) }
    : page
}

function pageRows(
  reader: Db,
  storeId: string,
  { after, fromMs, limit, subject, type, untilMs }: EventQuery,
) {
  const place = EVENT_CURSOR.read(after)
  return reader
    .selectFrom('events')
    .selectAll()
    .where('merchant_id', '=', storeId)
    .$if(subject !== undefined, (of) => of.where('subject', '=', subject ?? ''))
    .$if(fromMs !== undefined, (of) => of.where('created_at', '>=', fromMs ?? 0))
    .$if(untilMs !== undefined, (of) => of.where('created_at', '<', untilMs ?? 0))
    .$if(place !== undefined, (of) =>
      of.where(
        sql<boolean>`(created_at, position, subject) < (${place?.createdAtMs}, ${place?.position},
          ${place?.subject})`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .orderBy('subject', 'desc')
    .limit(type === undefined ? limit + 1 : WINDOW)
}

export async function findEvent(
  reader: Db,
  { storeId, subject, position }: EventKey,
): Promise<StoreEvent | undefined> {
  const row = await reader
    .selectFrom('events')
    .selectAll()
    .where('merchant_id', '=', storeId)
    .where('subject', '=', subject)
    .where('position', '=', position)
    .executeTakeFirst()
  return row && eventOfRow(row)
}

export function eventOfRow(row: EventRow): StoreEvent {
  return {
    storeId: row.merchant_id,
    subject: row.subject,
    position: row.position,
    type: row.type as EventType,
    data: row.data,
    createdAtMs: row.created_at,
  }
}

/** An event's deliveries, by the age of their endpoints. */
export async function deliveriesOf(reader: Db, event: EventKey): Promise<readonly EventDelivery[]> {
  const found = await deliveriesOfEach(reader, event.storeId, [event])
  return found.get(eventCode(event)) ?? []
}

/** The deliveries of events of a store, by the event's code. */
export async function deliveriesOfEach(
  reader: Db,
  storeId: string,
  events: readonly EventKey[],
): Promise<ReadonlyMap<string, readonly EventDelivery[]>> {
  if (events.length === 0) return new Map()
  const rows = await deliveryRows(reader, storeId, events)
  const byEvent = Map.groupBy(rows, eventCode)
  return new Map([...byEvent].map(([code, own]) => [code, own.map(deliveryOf)]))
}

function deliveryRows(reader: Db, storeId: string, events: readonly EventKey[]) {
  const [subjects, positions] = [
    new Set(events.map(({ subject }) => subject)),
    new Set(events.map(({ position }) => position)),
  ]
  return reader
    .selectFrom('event_endpoints')
    .innerJoin('event_deliveries', 'event_deliveries.endpoint_code', 'event_endpoints.code')
    .select(['code', 'url', 'enabled', 'probe_at', 'subject', 'position'])
    .select(['attempts', 'next_attempt_at', 'blocked'])
    .select(['attempted_at', 'status_code', 'error', 'done_at'])
    .where('merchant_id', '=', storeId)
    .where('subject', 'in', [...subjects])
    .where('position', 'in', [...positions])
    .orderBy('event_endpoints.created_at')
    .orderBy('code')
    .execute()
}

function deliveryOf(row: Awaited<ReturnType<typeof deliveryRows>>[number]): EventDelivery {
  const isHeld = row.enabled === 0 || (row.probe_at !== null && row.attempts > 0)
  const state = row.done_at !== null ? 'delivered' : isHeld ? 'held' : 'waiting'
  return {
    endpoint: { code: row.code, url: row.url },
    state,
    attempts: row.attempts,
    attemptedAtMs: row.attempted_at ?? undefined,
    nextAttemptAtMs: state === 'waiting' && row.blocked === 0 ? row.next_attempt_at : undefined,
    statusCode: row.status_code ?? undefined,
    error: row.error ?? undefined,
  }
}
