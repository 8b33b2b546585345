import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config/config.js'
import { DATABASES } from '../installation/databases.js'
import { copyMigrated } from '../installation/migrated.fixture.js'
import { checkParked } from './parked-checks.js'

const SINCE_MS = Date.UTC(2026, 10, 29, 10)

it('the doctor lists what rests in the vault, and counts what it does not list', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-parked-'))
  copyMigrated(dataDir)
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true })
  })
  const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
  expect(await checkParked(config)).toEqual([])
  const event = {
    account_id: 'conta',
    environment: 'production' as const,
    change: 'charged_back' as const,
    reference: 'ref',
    amount_minor: 100,
    at_ms: SINCE_MS,
    received_at_ms: SINCE_MS,
  }
  const rows = Array.from({ length: 12 }, (_, i) => ({
    ...event,
    id: `event-${i}`,
    transaction_code: 12 + i,
  }))
  await DATABASES.vault.use(config, (database) =>
    database.transact((trx) =>
      trx
        .insertInto('card_events')
        .values(rows as never)
        .execute(),
    ),
  )
  const [finding, ...others] = await checkParked(config)
  expect(others).toEqual([])
  expect(finding).toMatchObject({ level: 'warning', subject: 'parked work' })
  expect(finding?.finding).toContain(
    '12 in production, since 2026-11-29T10:00:00.000Z: charged_back contradicts what is known',
  )
  expect(finding?.finding).toMatch(/; and 2 more$/)
})
