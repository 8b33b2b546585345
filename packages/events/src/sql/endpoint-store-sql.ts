import { type Clock, EVENT_ENDPOINTS_MAX, type EventType, type Secret } from '@cofre/contracts'
import { type Connection, type Database, namedLock } from '@cofre/sql'
import {
  type GatewayTables,
  IDEMPOTENCY_LIFETIME_MS,
  PREVIOUS_SECRET_LIVES_MS,
  type RequestNonce,
  type SecretWrapping,
  StoreSecretError,
  useNonce,
} from '@cofre/gateway/room'
import { sql } from 'kysely'
import type { EndpointKey, EventEndpoint, WithSecret } from '../model/endpoint.js'

type Db = Connection<GatewayTables>
type EndpointRow = GatewayTables['event_endpoints']

export interface EndpointStoreDeps {
  readonly database: Database<GatewayTables>
  readonly clock: Clock
  readonly machineClock: Clock
  readonly secrets: SecretWrapping
}

export interface NewEndpoint extends Pick<
  EventEndpoint,
  'code' | 'storeId' | 'url' | 'types' | 'enabled'
> {
  readonly secret: Secret<string>
  readonly nonce: RequestNonce | undefined
  /** The same request may have created it, without an answer. */
  readonly isRetry: boolean
}

export interface EndpointEdit {
  readonly values: Partial<Pick<EventEndpoint, 'url' | 'types' | 'enabled'>>
  readonly nonce: RequestNonce | undefined
}

export interface SecretRotation extends Pick<NewEndpoint, 'secret' | 'nonce' | 'isRetry'> {
  /** As a person saw it: a form that is sent twice rotates once. Absent to rotate anyway. */
  readonly seen?: Pick<EventEndpoint, 'previousUntilMs'>
}

export type EndpointStore = ReturnType<typeof createSqlEndpointStore>

export function createSqlEndpointStore(deps: EndpointStoreDeps) {
  const { database } = deps
  return {
    /** All of a store, the oldest first. */
    async list(storeId: string): Promise<readonly EventEndpoint[]> {
      return (await rowsOf(database.reader, storeId).execute()).map(endpointOf)
    },

    async find({ storeId, code }: EndpointKey): Promise<EventEndpoint | undefined> {
      const row = await rowsOf(database.reader, storeId).where('code', '=', code).executeTakeFirst()
      return row && endpointOf(row)
    },

    insert: (endpoint: NewEndpoint) => database.transact((trx) => insert(deps, trx, endpoint)),

    /** Undefined if there is no such endpoint. */
    change: (key: EndpointKey, edit: EndpointEdit) =>
      database.transact((trx) => change(trx, key, edit)),

    /** The secret before signs for another day; one before that signs no more. */
    rotate: (key: EndpointKey, rotation: SecretRotation) =>
      database.transact((trx) => rotate(deps, trx, { ...key, ...rotation })),

    /** The endpoint as it was; its deliveries are deleted later, some at a time. */
    async delete(key: EndpointKey): Promise<EventEndpoint | undefined> {
      const row = await database.transact((trx) =>
        trx
          .deleteFrom('event_endpoints')
          .where('merchant_id', '=', key.storeId)
          .where('code', '=', key.code)
          .returningAll()
          .executeTakeFirst(),
      )
      return row && endpointOf(row)
    },

    /** Wraps what another key wrapped. A secret without its key waits for its rotation. */
    rewrap: () => rewrap(deps),
  }
}

function rowsOf(db: Db, storeId: string) {
  return db
    .selectFrom('event_endpoints')
    .selectAll()
    .where('merchant_id', '=', storeId)
    .orderBy('created_at')
    .orderBy('code')
}

export function endpointOf(row: EndpointRow): EventEndpoint {
  return {
    code: row.code,
    storeId: row.merchant_id,
    url: row.url,
    types: row.types === null ? undefined : (JSON.parse(row.types) as EventType[]),
    enabled: row.enabled === 1,
    createdAtMs: row.created_at,
    failingSinceMs: row.failing_since ?? undefined,
    lastRefusal:
      row.refused_at === null
        ? undefined
        : {
            atMs: row.refused_at,
            statusCode: row.refused_status ?? undefined,
            error: row.refused_error ?? undefined,
          },
    previousUntilMs: row.previous_until ?? undefined,
  }
}

const typesText = (types: EventEndpoint['types']): string | null =>
  types === undefined ? null : JSON.stringify(types)

async function insert(
  { clock, secrets }: EndpointStoreDeps,
  trx: Db,
  { secret, nonce, isRetry, ...endpoint }: NewEndpoint,
): Promise<WithSecret | 'full' | 'nonce_used'> {
  const { code, storeId, url, types, enabled } = endpoint
  await trx.run(namedLock(`event-endpoints ${storeId}`))
  if (!(await useNonce(trx, nonce))) return 'nonce_used'
  const rows = await rowsOf(trx, storeId).execute()
  const sinceMs = clock.now() - IDEMPOTENCY_LIFETIME_MS
  const made = rows.findLast(
    (row) =>
      row.created_at > sinceMs &&
      (row.code === code || (isRetry && row.url === url && row.types === typesText(types))),
  )
  if (made !== undefined)
    return { endpoint: endpointOf(made), secret: secrets.unwrap(made.code, made.secret) }
  if (rows.length >= EVENT_ENDPOINTS_MAX) return 'full'
  const row: EndpointRow = {
    code,
    merchant_id: storeId,
    url,
    types: typesText(types),
    secret: secrets.wrap(code, secret),
    previous_secret: null,
    previous_until: null,
    enabled: Number(enabled),
    created_at: clock.now(),
    accepts: 0,
    failing_since: null,
    probe_at: null,
    refused_at: null,
    refused_status: null,
    refused_error: null,
  }
  await trx.insertInto('event_endpoints').values(row).execute()
  return { endpoint: endpointOf(row), secret }
}

async function change(
  trx: Db,
  { storeId, code }: EndpointKey,
  { values: { url, enabled, ...rest }, nonce }: EndpointEdit,
): Promise<EventEndpoint | 'nonce_used' | undefined> {
  if (!(await useNonce(trx, nonce))) return 'nonce_used'
  const row = await trx
    .updateTable('event_endpoints')
    .set({
      // The change may have repaired it, so the next event is sent at once.
      accepts: 0,
      failing_since: null,
      probe_at: null,
      ...(url !== undefined && { url }),
      ...('types' in rest && { types: typesText(rest.types) }),
      ...(enabled !== undefined && { enabled: Number(enabled) }),
    })
    .where('merchant_id', '=', storeId)
    .where('code', '=', code)
    .returningAll()
    .executeTakeFirst()
  return row && endpointOf(row)
}

async function rotate(
  { machineClock, secrets }: EndpointStoreDeps,
  trx: Db,
  { storeId, code, secret, nonce, isRetry, seen }: EndpointKey & SecretRotation,
): Promise<WithSecret | 'nonce_used' | undefined> {
  if (!(await useNonce(trx, nonce))) return 'nonce_used'
  const nowMs = machineClock.now()
  const [made] = isRetry
    ? await rowsOf(trx, storeId)
        .where('code', '=', code)
        .where('previous_until', '>', nowMs)
        .execute()
    : []
  // Another rotation would end the secret in use, and leave one that the shop never received.
  if (made !== undefined)
    return { endpoint: endpointOf(made), secret: secrets.unwrap(code, made.secret) }
  const row = await trx
    .updateTable('event_endpoints')
    .set((set) => ({
      previous_secret: set.ref('secret'),
      previous_until: nowMs + PREVIOUS_SECRET_LIVES_MS,
      secret: secrets.wrap(code, secret),
    }))
    .where('merchant_id', '=', storeId)
    .where('code', '=', code)
    .$if(seen !== undefined, (of) =>
      of.where(sql<boolean>`coalesce(previous_until, 0) = ${seen?.previousUntilMs ?? 0}`),
    )
    .returningAll()
    .executeTakeFirst()
  return row && { endpoint: endpointOf(row), secret }
}

/** Replaces only what is unchanged since it was read: another process may rotate the secret. */
async function rewrap({ database, secrets }: EndpointStoreDeps): Promise<number> {
  let count = 0
  const rows = await database.reader
    .selectFrom('event_endpoints')
    .select(['code', 'secret', 'previous_secret'])
    .execute()
  for (const { code, secret, previous_secret } of rows) {
    const texts = [secret, ...(previous_secret === null ? [] : [previous_secret])]
    if (!texts.some((text) => secrets.isOutdated(text))) continue
    const [wrapped, ...before] = texts.map((text) => rewrapped(secrets, code, text))
    await database.transact((trx) =>
      trx
        .updateTable('event_endpoints')
        .set({ secret: wrapped, previous_secret: before[0] ?? null })
        .where('code', '=', code)
        .where('secret', '=', secret)
        .execute(),
    )
    count += 1
  }
  return count
}

function rewrapped(secrets: SecretWrapping, code: string, text: string): string {
  try {
    return secrets.wrap(code, secrets.unwrap(code, text))
  } catch (error) {
    if (error instanceof StoreSecretError) return text
    throw error
  }
}
