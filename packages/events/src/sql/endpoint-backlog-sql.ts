import type { Connection } from '@cofre/sql'
import type { GatewayTables } from '@cofre/gateway/room'
import { sql } from 'kysely'
import type { EndpointBacklog, EventBacklog } from '../model/backlog.js'
import type { EventEndpoint } from '../model/endpoint.js'
import { endpointOf } from './endpoint-store-sql.js'

type Db = Connection<GatewayTables>

/** Counts what enabled endpoints have not accepted. Reads open deliveries alone. */
export async function eventBacklog(reader: Db): Promise<EventBacklog> {
  const [endpoints, withoutDelivery] = await Promise.all([
    backlogRows(reader).where('enabled', '=', 1).execute(),
    reader
      .selectFrom('events')
      .select(({ fn }) => fn.min<number | null>('next_attempt_at').as('since'))
      // Literal, so that PostgreSQL uses the partial index.
      .where('waiting', '=', sql.lit(1))
      .executeTakeFirstOrThrow(),
  ])
  const since = [
    withoutDelivery.since,
    // An endpoint that is gone for good must not hide the delay of others.
    ...endpoints.map((one) => (one.failing_since === null ? one.unsent_since : null)),
  ].filter((atMs) => atMs !== null)
  return {
    waiting: endpoints.reduce((sum, { waiting }) => sum + waiting, 0),
    unsentSinceMs: since.length === 0 ? undefined : Math.min(...since),
    failingEndpoints: endpoints.filter((one) => one.waiting > 0 && one.failing_since !== null)
      .length,
  }
}

/** Enabled endpoints, for which events wait, that have accepted none since before a time. */
export async function failingEndpoints(
  reader: Db,
  beforeMs: number,
): Promise<readonly EventEndpoint[]> {
  const rows = await reader
    .selectFrom('event_endpoints')
    .selectAll()
    .where('enabled', '=', 1)
    .where('failing_since', '<=', beforeMs)
    .where((of) =>
      of.exists(
        of
          .selectFrom('event_deliveries')
          .select('position')
          .whereRef('endpoint_code', '=', 'code')
          .where('done_at', 'is', null),
      ),
    )
    .orderBy('failing_since')
    .execute()
  return rows.map(endpointOf)
}

/** Counts for each endpoint of a store, by its code. */
export async function endpointBacklogs(
  reader: Db,
  storeId: string,
): Promise<ReadonlyMap<string, EndpointBacklog>> {
  const rows = await backlogRows(reader)
    .select((of) =>
      of
        .selectFrom('event_deliveries')
        .select(({ fn }) => fn.max<number | null>('done_at').as('last'))
        .whereRef('endpoint_code', '=', 'code')
        .where('done_at', 'is not', null)
        .as('delivered_at'),
    )
    .where('merchant_id', '=', storeId)
    .execute()
  return new Map(
    rows.map((row) => [
      row.code,
      { waiting: row.waiting, deliveredAtMs: row.delivered_at ?? undefined },
    ]),
  )
}

function backlogRows(reader: Db) {
  return reader.selectFrom('event_endpoints').select((of) => {
    const open = of
      .selectFrom('event_deliveries')
      .whereRef('endpoint_code', '=', 'code')
      .where('done_at', 'is', null)
    return [
      'code',
      'failing_since',
      sql<number>`${open.select(({ fn }) => fn.countAll().as('count'))}`.as('waiting'),
      open
        .select(({ fn }) => fn.min<number | null>('next_attempt_at').as('first'))
        .where('blocked', '=', 0)
        .where('repeated', '=', 0)
        .as('unsent_since'),
    ]
  })
}
