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
  ]
  await DATABASES.production.use(config, (database) =>
    database.transact((trx) => trx.insertInto('event_endpoints').values(rows).execute()),
  )
  expect(await check()).toMatchObject([
    {
      level: 'warning',
      subject: 'events',
      finding: 'endpoints accept none: ep_old of store-1, since 2026-11-27T10:00:00.000Z: timeout',
    },
  ])
})
