import { readMigrations } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { expect, it } from 'vitest'
import type { SandboxTables } from '../database/sandbox-tables.js'
import { eraseRequestsOf } from './request-erasure-sql.js'
import { createSqlRequestLogStore } from './request-log-sql.js'

const NOW_MS = Date.UTC(2026, 10, 21)
const SANDBOX_MIGRATIONS = readMigrations(new URL('../../migrations/', import.meta.url))

it.each(TEST_ENGINES)('a payer leaves the log of requests, on $name', async (engine) => {
  const database = await engine.open<SandboxTables>(SANDBOX_MIGRATIONS)
  try {
    const log = createSqlRequestLogStore(database, { now: () => NOW_MS })
    const keep = (target: string, requestBody: string, transactionCode?: string) =>
      log.add('store-1', {
        atMs: NOW_MS,
        method: 'POST',
        target,
        statusCode: 201,
        durationMs: 1,
        transactionCode,
        requestBody,
        responseBody: '{}',
        requestHeaders: {},
        responseHeaders: {},
        errorCodes: [],
      })
    await keep('/transactions', '{"reference":"erased"}', '1001')
    await keep('/transactions', '{"payer":{"document":{"number":"529.982.247-25"}}}')
    await keep('/transactions?email=Maria%40example.com', '{}')
    await keep('/transactions', '{"payer":{"email":"other@example.com"}}', '1002')

    expect(await eraseRequestsOf(database, { payer: '52998224725', codes: ['1001'] })).toBe(2)
    expect(await eraseRequestsOf(database, { payer: 'maria@EXAMPLE.com', codes: [] })).toBe(1)
    const { reader } = database
    const rows = await reader.selectFrom('requests').select('transaction_code').execute()
    expect(rows).toEqual([{ transaction_code: '1002' }])
  } finally {
    await database.close()
  }
})
