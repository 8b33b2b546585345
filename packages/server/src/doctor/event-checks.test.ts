import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS } from '@cofre/contracts'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config/config.js'
import { DATABASES } from '../installation/databases.js'
import { copyMigrated } from '../installation/migrated.fixture.js'
import { checkEvents } from './event-checks.js'

const NOW_MS = Date.UTC(2026, 10, 29, 10)

it('the doctor names endpoints that have accepted no event for a day', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-events-'))
  copyMigrated(dataDir)
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true })
  })
  const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
  const check = () => checkEvents(config, { now: () => NOW_MS })
  expect(await check()).toEqual([])
  const endpoint = (code: string, failing_since: number | null, enabled = 1) => ({
    code,
    merchant_id: 'store-1',
    url: 'https://shop.example/events',
    types: null,
    secret: 'wrapped',
    previous_secret: null,
    previous_until: null,
    enabled,
    created_at: 1,
    accepts: 0,
    failing_since,
    probe_at: null,
    refused_at: NOW_MS,
    refused_status: null,
    refused_error: 'timeout',
  })
  const rows = [
    endpoint('ep_old', NOW_MS - 2 * DAY_MS),
    endpoint('ep_disabled', NOW_MS - 2 * DAY_MS, 0),
    endpoint('ep_recent', NOW_MS - 1),
    endpoint('ep_good', null),
    endpoint('ep_idle', NOW_MS - 2 * DAY_MS),
  ]
  const waiting = rows
    .filter(({ code }) => code !== 'ep_idle')
    .map(({ code }) => ({
      endpoint_code: code,
      subject: '1',
      position: 1,
      attempts: 1,
      next_attempt_at: NOW_MS,
      lease_until: null,
      attempted_at: NOW_MS,
      status_code: null,
      error: 'timeout',
      done_at: null,
      blocked: 0,
      repeated: 1,
    }))
  await DATABASES.production.use(config, (database) =>
    database.transact(async (trx) => {
      await trx.insertInto('event_endpoints').values(rows).execute()
      await trx.insertInto('event_deliveries').values(waiting).execute()
    }),
  )
  expect(await check()).toMatchObject([
    {
      level: 'warning',
      subject: 'events',
      finding: 'endpoints accept none: ep_old of store-1, since 2026-11-27T10:00:00.000Z: timeout',
    },
  ])
})
