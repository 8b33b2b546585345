import {
  type Clock,
  type ListPage,
  type ListQuery,
  SECOND_MS,
  cursorBy,
  pageOf,
} from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { sql } from 'kysely'
import type { RequestRow, SandboxTables, SandboxUnit } from '../database/sandbox-tables.js'
import { PER_MILLISECOND, createStoreLog } from '../database/store-log-sql.js'
import type { RequestFilter } from './request-filter.js'
import { type ShownHeaders, UNKNOWN_FIELDS } from './request-headers.js'

export const REQUESTS_KEPT_MAX = 1000
const LOG = { table: 'requests', keptMax: REQUESTS_KEPT_MAX } as const
const REFUSED_FROM = 400
/** Another process may still be writing a request with a smaller number. */
const SETTLED_MS = SECOND_MS / 2
const READ_MAX = 100

/** A request to the sandbox's API, and its answer. Card numbers, CVVs and tokens are masked. */
export interface RecordedRequest {
  readonly id: number
  readonly atMs: number
  readonly method: string
  /** Path with its query. */
  readonly target: string
  readonly statusCode: number
  readonly durationMs: number
  readonly transactionCode: string | undefined
  /** JSON text, masked; undefined without a body, or if none can be shown safely. */
  readonly requestBody: string | undefined
  readonly responseBody: string
  /** The relevant headers, masked, by their names in lower case. */
  readonly requestHeaders: ShownHeaders
  readonly responseHeaders: ShownHeaders
  /** Codes of the answer's errors. */
  readonly errorCodes: readonly number[]
}

/** An integration step that only requests prove. */
export type RequestMilestone = 'card-saved-used' | 'installments-looked-up' | 'error-handled'

export type RequestLogStore = ReturnType<typeof createSqlRequestLogStore>

/** The last requests of each store; callers mask them first. */
export function createSqlRequestLogStore(database: Database<SandboxTables>, machineClock: Clock) {
  const { reader } = database
  const addToLog = createStoreLog(machineClock, LOG)
  return {
    ...followedIn(reader, machineClock),
    ...progressIn(reader),

    /** Stores a request, and keeps only the last thousand of the store. */
    add: (storeId: string, request: Omit<RecordedRequest, 'id'>): Promise<void> =>
      database.transact((trx) => addToLog(trx, storeId, (id) => rowOf(storeId, id, request))),

    /** Newest first. */
    list: (storeId: string, query: RequestQuery) => list(reader, storeId, query),

    async find(storeId: string, id: number): Promise<RecordedRequest | undefined> {
      const row = await ofStore(reader, storeId).selectAll().where('id', '=', id).executeTakeFirst()
      return row && requestOf(row)
    },

    /** Oldest first. */
    async findOf(storeId: string, transactionCode: string): Promise<readonly RecordedRequest[]> {
      const rows = await ofStore(reader, storeId)
        .selectAll()
        .where('transaction_code', '=', transactionCode)
        .orderBy('id')
        .execute()
      return rows.map(requestOf)
    },

    /** True if a request with the method and path was refused before. */
    hasRefused: (storeId: string, request: Pick<RecordedRequest, 'method' | 'target'>) =>
      hasRefused(reader, storeId, request),

    /** Records the time when a step was first reached. */
    async reach(storeId: string, step: RequestMilestone, atMs: number): Promise<void> {
      await database.transact((trx) =>
        trx
          .insertInto('request_milestones')
          .values({ store_id: storeId, step, at: atMs })
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      )
    },

    /** The newest request's id; 0 without any. */
    async newest(storeId: string): Promise<number> {
      const newest = ofStore(reader, storeId).select('id').orderBy('id', 'desc').limit(1)
      return (await newest.executeTakeFirst())?.id ?? 0
    },

    /** Deletes the store's requests and steps. */
    empty: (storeId: string): Promise<void> =>
      database.transact(async (trx) => {
        await trx.deleteFrom('requests').where('store_id', '=', storeId).execute()
        await trx.deleteFrom('request_milestones').where('store_id', '=', storeId).execute()
      }),
  }
}

export interface RequestQuery extends ListQuery {
  readonly filter: RequestFilter
}

const CURSOR = cursorBy({ id: 'bigint' })

async function list(
  reader: SandboxUnit,
  storeId: string,
  { filter, after, limit }: RequestQuery,
): Promise<ListPage<RecordedRequest>> {
  const place = CURSOR.read(after)
  const rows = await filtered(ofStore(reader, storeId), filter)
    .selectAll()
    .$if(place !== undefined, (of) => of.where('id', '<', place?.id ?? 0))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(rows.map(requestOf), limit, CURSOR.of)
}

/** Follows the requests of a store. */
function followedIn(reader: SandboxUnit, machineClock: Clock) {
  return {
    /** The position of a reader who has yet to read the given number of latest requests. */
    placeBefore: (storeId: string, last: number) => idBefore(reader, storeId, last),

    /** The requests after a position, oldest first; those of the current moment wait briefly. */
    after: (storeId: string, id: number) =>
      after(reader, storeId, { id, untilId: (machineClock.now() - SETTLED_MS) * PER_MILLISECOND }),
  }
}

/** The integration progress that a store's requests prove. */
function progressIn(reader: SandboxUnit) {
  return {
    milestones: (storeId: string) => milestones(reader, storeId),

    /**
     * The newest request with unused fields; undefined if a later one with its method and target
     * was accepted without such fields.
     */
    withUnknownFields: (storeId: string) => withUnknownFields(reader, storeId),
  }
}

async function idBefore(reader: SandboxUnit, storeId: string, last: number): Promise<number> {
  const read = await ofStore(reader, storeId)
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(last)
    .executeTakeFirst()
  return read?.id ?? 0
}

async function after(
  reader: SandboxUnit,
  storeId: string,
  { id, untilId }: { readonly id: number; readonly untilId: number },
): Promise<readonly RecordedRequest[]> {
  const rows = await ofStore(reader, storeId)
    .selectAll()
    .where('id', '>', id)
    .where('id', '<=', untilId)
    .orderBy('id')
    .limit(READ_MAX)
    .execute()
  return rows.map(requestOf)
}

type Requests = ReturnType<typeof ofStore>

/** With expressions: a store has at most a thousand rows, found by the key. */
function filtered(requests: Requests, { path, queries, status, error }: RequestFilter): Requests {
  let matching = requests
  if (path !== undefined) {
    const part = `%${path.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    matching = matching.where(sql<boolean>`lower(target) like lower(${part}) escape '\\'`)
    // Matches neither over nor behind the question mark: missing a request is better than finding a
    // payer.
    if (queries === 'not-searched')
      matching = path.includes('?')
        ? matching.where(sql<boolean>`1 = 0`)
        : matching.where(sql<boolean>`lower(target) not like lower(${`%?${part}`}) escape '\\'`)
  }
  if (status !== undefined)
    matching = matching
      .where('status_code', '>=', status.from)
      .where('status_code', '<=', status.to)
  if (error !== undefined) {
    // The codes are JSON: [10003,10201].
    const codes = sql`replace(replace(error_codes, '[', ','), ']', ',')`
    matching = matching.where(sql<boolean>`${codes} like ${`%,${error},%`}`)
  }
  return matching
}

async function hasRefused(
  reader: SandboxUnit,
  storeId: string,
  { method, target }: Pick<RecordedRequest, 'method' | 'target'>,
): Promise<boolean> {
  const refused = await ofStore(reader, storeId)
    .select('id')
    .where('status_code', '>=', REFUSED_FROM)
    .where((request) => request.and({ method, target }))
    .limit(1)
    .executeTakeFirst()
  return refused !== undefined
}

async function withUnknownFields(
  reader: SandboxUnit,
  storeId: string,
): Promise<RecordedRequest | undefined> {
  const row = await ofStore(reader, storeId)
    .selectAll()
    .where('response_headers', 'like', HAS_UNKNOWN_FIELDS)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, method, target } = row
  const repaired = await ofStore(reader, storeId)
    .select('id')
    .where('id', '>', id)
    .where('status_code', '<', REFUSED_FROM)
    .where((request) => request.and({ method, target }))
    .limit(1)
    .executeTakeFirst()
  return repaired === undefined ? requestOf(row) : undefined
}

/** The headers are JSON. */
const HAS_UNKNOWN_FIELDS = `%"${UNKNOWN_FIELDS}":%`

/** The time when each step was first reached. */
async function milestones(
  reader: SandboxUnit,
  storeId: string,
): Promise<ReadonlyMap<RequestMilestone, number>> {
  const rows = await reader
    .selectFrom('request_milestones')
    .select(['step', 'at'])
    .where('store_id', '=', storeId)
    .execute()
  return new Map(rows.map(({ step, at }) => [step as RequestMilestone, at]))
}

function ofStore(reader: SandboxUnit, storeId: string) {
  return reader.selectFrom('requests').where('store_id', '=', storeId)
}

function rowOf(storeId: string, id: number, request: Omit<RecordedRequest, 'id'>): RequestRow {
  return {
    store_id: storeId,
    id,
    at: request.atMs,
    method: request.method,
    target: request.target,
    status_code: request.statusCode,
    duration_ms: request.durationMs,
    transaction_code: request.transactionCode ?? null,
    request_body: request.requestBody ?? null,
    response_body: request.responseBody,
    error_codes: JSON.stringify(request.errorCodes),
    request_headers: JSON.stringify(request.requestHeaders),
    response_headers: JSON.stringify(request.responseHeaders),
  }
}

function requestOf(row: RequestRow): RecordedRequest {
  return {
    id: row.id,
    atMs: row.at,
    method: row.method,
    target: row.target,
    statusCode: row.status_code,
    durationMs: row.duration_ms,
    transactionCode: row.transaction_code ?? undefined,
    requestBody: row.request_body ?? undefined,
    responseBody: row.response_body,
    requestHeaders: JSON.parse(row.request_headers ?? '{}') as ShownHeaders,
    responseHeaders: JSON.parse(row.response_headers ?? '{}') as ShownHeaders,
    errorCodes: JSON.parse(row.error_codes) as number[],
  }
}
