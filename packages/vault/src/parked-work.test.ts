import { HOUR_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { VAULT_MIGRATIONS } from './database/vault-database.js'
import type { VaultTables } from './database/vault-tables.js'
import { announce, announceSettled, claimChanges } from './outbox/change-sql.js'
import { parkedWork } from './parked-work.js'
import { keepEvent, markApplied, tryAgainAt } from './refund/event-sql.js'

const NOW_MS = Date.UTC(2026, 10, 29)
const KEY = { environment: 'production', transactionCode: '12' } as const
const EVENT = {
  id: 'event-1',
  change: 'charged_back',
  reference: 'ref',
  amountMinor: minorUnits(100),
  atMs: NOW_MS,
} as const

describe.each(TEST_ENGINES)('parked work on $name', (engine) => {
  it('is what a gateway could not apply five times, until its charge is settled', async () => {
    const database = await engine.open<VaultTables>(VAULT_MIGRATIONS)
    onTestFinished(() => database.close())
    const change = { kind: 'charged_back', amountMinor: minorUnits(100) } as const
    await database.transact((trx) => announce(trx, { ...KEY, atMs: 5, change }, NOW_MS))
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await parkedWork(database.reader)).toEqual([])
      const given = await claimChanges(database, 'production', NOW_MS + attempt * 8 * HOUR_MS)
      expect(given).toHaveLength(1)
    }
    const what = 'its gateway cannot apply charged_back'
    expect(await parkedWork(database.reader)).toEqual([{ ...KEY, what, sinceMs: NOW_MS }])

    const answer = { outcome: 'declined', decline: { reason: 'refused' } } as never
    const laterMs = NOW_MS + 40 * HOUR_MS
    await database.transact((trx) =>
      announceSettled(trx, { ...KEY, answer }, { atMs: laterMs, nowMs: laterMs }),
    )
    const freed = await database.reader
      .selectFrom('card_changes')
      .select('lease_until_ms')
      .execute()
    expect(freed.map((row) => row.lease_until_ms)).toEqual([0, 0])
  })

  it('is an event that contradicts its charge, until the next one explains it', async () => {
    const database = await engine.open<VaultTables>(VAULT_MIGRATIONS)
    onTestFinished(() => database.close())
    const kept = { accountId: 'conta', charge: KEY, event: EVENT, nowMs: NOW_MS }
    await database.transact((trx) => keepEvent(trx, kept))
    expect(await parkedWork(database.reader)).toEqual([])
    await database.transact((trx) => tryAgainAt(trx, KEY, null))
    const what = 'charged_back contradicts what is known'
    expect(await parkedWork(database.reader)).toEqual([{ ...KEY, what, sinceMs: NOW_MS }])
    await database.transact((trx) =>
      markApplied(trx, { accountId: 'conta', id: 'event-1' }, NOW_MS),
    )
    expect(await parkedWork(database.reader)).toEqual([])
  })
})
