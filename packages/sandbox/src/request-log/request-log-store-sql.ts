import type { Clock } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type {
  RequestMilestoneRow,
  RequestRow,
  SandboxTables,
  SandboxUnit,
} from '../database/sandbox-tables.js'
import { createStoreLog } from '../database/store-log-sql.js'
import type { RecordedRequest } from './recorded-request.js'
import type { RequestLogStore, RequestMilestone } from './request-log-store.js'

export const REQUESTS_KEPT_MAX = 1000
const LOG = { table: 'requests', keptMax: REQUESTS_KEPT_MAX } as const
const REFUSED_FROM = 400

export function createSqlRequestLogStore(
  database: Database<SandboxTables>,
  machineClock: Clock,
): RequestLogStore {
  const { reader } = database
  const addToLog = createStoreLog(machineClock, LOG)
  return {
    add: (storeId, request) =>
      database.transact((trx) => addToLog(trx, storeId, (id) => rowOf(storeId, id, request))),

    list: (storeId, query) => list(reader, storeId, query),

    async find(storeId, id) {
      const row = await ofStore(reader, storeId).selectAll().where('id', '=', id).executeTakeFirst()
      return row && requestOf(row)
    },

    async findOf(storeId, transactionCode) {
      const rows = await ofStore(reader, storeId)
        .selectAll()
        .where('transaction_code', '=', transactionCode)
        .orderBy('id')
        .execute()
      return rows.map(requestOf)
    },

    hasRefused: (storeId, method, path) => hasRefused(reader, { storeId, method, path }),

    async reach(storeId, step, atMs) {
      await database.transact((trx) => reach(trx, { store_id: storeId, step, at: atMs }))
    },

    async milestones(storeId) {
      const rows = await reader
        .selectFrom('request_milestones')
        .select(['step', 'at'])
        .where('store_id', '=', storeId)
        .execute()
      return new Map(rows.map(({ step, at }) => [step as RequestMilestone, at]))
    },

    async newest(storeId) {
      const row = await ofStore(reader, storeId)
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id ?? 0
    },

    empty: (storeId) =>
      database.transact(async (trx) => {
        await trx.deleteFrom('requests').where('store_id', '=', storeId).execute()
        await trx.deleteFrom('request_milestones').where('store_id', '=', storeId).execute()
      }),
  }
}

function ofStore(reader: SandboxUnit, storeId: string) {
  return reader.selectFrom('requests').where('store_id', '=', storeId)
}

async function list(
  reader: SandboxUnit,
  storeId: string,
  { failedOnly, page, pageSize }: Parameters<RequestLogStore['list']>[1],
): ReturnType<RequestLogStore['list']> {
  const matching = ofStore(reader, storeId).$if(failedOnly, (query) =>
    query.where('status_code', '>=', REFUSED_FROM),
  )
  const { found } = await matching
    .select((select) => select.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { requests: rows.map(requestOf), found }
}

async function hasRefused(
  reader: SandboxUnit,
  { storeId, method, path }: Record<'storeId' | 'method' | 'path', string>,
): Promise<boolean> {
  const refused = await ofStore(reader, storeId)
    .select('id')
    .where('status_code', '>=', REFUSED_FROM)
    .where('method', '=', method)
    .where('target', '=', path)
    .limit(1)
    .executeTakeFirst()
  return refused !== undefined
}

async function reach(trx: SandboxUnit, row: RequestMilestoneRow): Promise<void> {
  await trx
    .insertInto('request_milestones')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
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
    errorCodes: JSON.parse(row.error_codes) as number[],
  }
}
