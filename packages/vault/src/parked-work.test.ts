import { HOUR_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { VAULT_MIGRATIONS } from './database/vault-database.js'
import type { VaultTables } from './database/vault-tables.js'
import { announce, reannounce, announceSettled, claimChanges } from './outbox/change-sql.js'
import { parkedWork } from './parked-work.js'
import { insertCardEvent, markApplied, postponeEvent } from './refund/event-sql.js'

const NOW_MS = Date.UTC(2026, 10, 29)
const KEY = { environment: 'production', transactionCode: '12' } as const
const EVENT = {
  id: 'event-1',
  change: 'charged_back',
  reference: 'ref',
  amountMinor: minorUnits(100),
  atMs: NOW_MS,
  paymentId: undefined,
  returnId: undefined,
  detail: undefined,
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

  it('is a change that cannot be read, which holds up no other, until it is released', async () => {
    const database = await engine.open<VaultTables>(VAULT_MIGRATIONS)
    onTestFinished(() => database.close())
    const change = { kind: 'charged_back', amountMinor: minorUnits(100) } as const
    // The second change of 12 must not come before the first.
    for (const [i, transactionCode] of ['12', '13', '14', '12'].entries())
      await database.transact((trx) =>
        announce(trx, { ...KEY, transactionCode, atMs: 5 + i, change }, NOW_MS),
      )
    await database.transact((trx) =>
      trx
        .updateTable('card_changes')
        .set({ change: '{"kind":"newer"}' })
        .where('transaction_code', '=', 12)
        .where('at_ms', '=', 5)
        .execute(),
    )
    const claimed = async (nowMs: number) => {
      const changes = await claimChanges(database, 'production', nowMs)
      return changes.map(({ transactionCode }) => transactionCode).toSorted()
    }
    expect(await claimed(NOW_MS)).toEqual(['13', '14'])
    for (let attempt = 1; attempt < 5; attempt++) await claimed(NOW_MS + attempt * 8 * HOUR_MS)
    const parked = await parkedWork(database.reader)
    expect(parked.map(({ what }) => what)).toContain('its gateway cannot apply unreadable')

    await database.transact((trx) =>
      trx
        .updateTable('card_changes')
        .set({ change: JSON.stringify(change) })
        .where('transaction_code', '=', 12)
        .execute(),
    )
    const nowMs = NOW_MS + 32 * HOUR_MS + 1
    expect(await claimed(nowMs)).toEqual([])
    await database.transact((trx) => reannounce(trx, 'production', nowMs))
    expect(await claimed(nowMs)).toEqual(['12', '12', '13', '14'])
  })

  it('is an event that contradicts its charge, until the next one explains it', async () => {
    const database = await engine.open<VaultTables>(VAULT_MIGRATIONS)
    onTestFinished(() => database.close())
    const kept = { accountId: 'conta', charge: KEY, event: EVENT, nowMs: NOW_MS }
    await database.transact((trx) => insertCardEvent(trx, kept))
    expect(await parkedWork(database.reader)).toEqual([])
    await database.transact((trx) => postponeEvent(trx, KEY, null))
    const what = 'charged_back contradicts what is known'
    expect(await parkedWork(database.reader)).toEqual([{ ...KEY, what, sinceMs: NOW_MS }])
    await database.transact((trx) =>
      markApplied(trx, { accountId: 'conta', id: 'event-1' }, NOW_MS),
    )
    expect(await parkedWork(database.reader)).toEqual([])
  })
})
