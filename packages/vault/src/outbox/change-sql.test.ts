import { type Environment, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES, lockWaiters, openTwiceOnPostgres } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { VAULT_MIGRATIONS } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import {
  acknowledgeChanges,
  announce,
  reannounce,
  announceSettled,
  claimChanges,
  listParkedChanges,
  oldestChangeAtMs,
} from './change-sql.js'

const NOW_MS = Date.UTC(2026, 10, 22)

interface ChangeOrigin {
  readonly nowMs: number
  readonly environment: Environment
}

async function recordChange(
  database: Database<VaultTables>,
  transactionCode: string,
  amount: number,
  { nowMs = NOW_MS, environment = 'production' }: Partial<ChangeOrigin> = {},
): Promise<void> {
  const change = { kind: 'charged_back', amountMinor: minorUnits(amount) } as const
  await database.transact((trx) =>
    announce(trx, { environment, transactionCode, atMs: 5, change }, nowMs),
  )
}

/** The amounts of the changes, in the order in which they come. */
async function claimed(database: Database<VaultTables>, nowMs: number): Promise<number[]> {
  const changes = await claimChanges(database, 'production', nowMs)
  return changes.map(({ change }) => ('amountMinor' in change ? change.amountMinor : 0))
}

const acknowledge = (database: Database<VaultTables>, ids: readonly string[], nowMs = NOW_MS) =>
  acknowledgeChanges(database, { environment: 'production', ids }, nowMs)

for (const engine of TEST_ENGINES)
  describe(`changes for the gateway on ${engine.name}`, () => {
    let database: Database<VaultTables>
    beforeEach(async () => {
      database = await engine.open<VaultTables>(VAULT_MIGRATIONS)
    })
    afterEach(() => database.close())

    it('come in the order in which they were added, for the gateway’s environment alone', async () => {
      await recordChange(database, '1', 100, { environment: 'sandbox' })
      await recordChange(database, '1', 200)
      expect(await claimChanges(database, 'production', NOW_MS)).toEqual([
        {
          id: expect.stringMatching(/^[\w-]{22}$/) as string,
          transactionCode: '1',
          atMs: 5,
          change: { kind: 'charged_back', amountMinor: 200 },
        },
      ])
    })

    it('are requested without a lock while there are none', async () => {
      await recordChange(database, '1', 100, { environment: 'sandbox' })
      const transact = () => Promise.reject(new Error('a lock'))
      const reading = { reader: database.reader, transact } as unknown as typeof database
      expect(await claimChanges(reading, 'production', NOW_MS)).toEqual([])
    })

    it('are one caller’s for a minute, and come again until they are acknowledged', async () => {
      await recordChange(database, '1', 100)
      const [first] = await claimChanges(database, 'production', NOW_MS)
      expect(await claimed(database, NOW_MS + 59 * SECOND_MS)).toEqual([])
      const [again] = await claimChanges(database, 'production', NOW_MS + MINUTE_MS)
      expect(again).toEqual(first)
      const ids = [first?.id ?? '', 'unknown']
      await acknowledge(database, ids)
      await acknowledge(database, ids)
      expect(await claimed(database, NOW_MS + 3 * MINUTE_MS)).toEqual([])
    })

    it('are not ended by a gateway of another environment', async () => {
      await recordChange(database, '1', 100)
      const [first] = await claimChanges(database, 'production', NOW_MS)
      const ids = [first?.id ?? '']
      await acknowledgeChanges(database, { environment: 'sandbox', ids }, NOW_MS)
      expect(await claimed(database, NOW_MS + MINUTE_MS)).toEqual([100])
    })

    it('of a charge come in their order, also when a clock runs behind', async () => {
      await recordChange(database, '1', 100)
      await recordChange(database, '1', 200, { nowMs: NOW_MS - MINUTE_MS })
      expect(await claimed(database, NOW_MS)).toEqual([100, 200])
    })

    it('of a charge wait while an older one is another caller’s', async () => {
      await recordChange(database, '1', 100)
      expect(await claimed(database, NOW_MS)).toEqual([100])
      await recordChange(database, '1', 200)
      await recordChange(database, '2', 300)
      expect(await claimed(database, NOW_MS + SECOND_MS)).toEqual([300])
      expect(await claimed(database, NOW_MS + MINUTE_MS)).toEqual([100, 200])
    })

    it('are not lost to a lease of a clock that was set back', async () => {
      await recordChange(database, '1', 100)
      await claimed(database, NOW_MS + 24 * 60 * MINUTE_MS)
      expect(await claimed(database, NOW_MS)).toEqual([100])
    })

    it('fit into an answer, however many there are', async () => {
      for (let i = 0; i < 60; i++) await recordChange(database, String(i), i + 1)
      expect(await claimed(database, NOW_MS)).toHaveLength(50)
      expect(await claimed(database, NOW_MS)).toHaveLength(10)
    })

    it('are given however many before them are never acknowledged', async () => {
      for (let i = 0; i < 210; i++) await recordChange(database, String(i), i + 1)
      await recordChange(database, '999', 999, { nowMs: NOW_MS + 1 })
      const all: number[] = []
      for (let round = 0; round < 6; round++) all.push(...(await claimed(database, NOW_MS)))
      expect(all).toContain(999)
    })

    it('that are not acknowledged come at growing pauses, and hold back their charge alone', async () => {
      await recordChange(database, '1', 100)
      const times: number[] = []
      for (let minute = 0; minute <= 180; minute++)
        if ((await claimed(database, NOW_MS + minute * MINUTE_MS)).length > 0) times.push(minute)
      expect(times).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 124])
      await recordChange(database, '1', 200)
      await recordChange(database, '2', 300)
      const given = await claimChanges(database, 'production', NOW_MS + 180 * MINUTE_MS)
      expect(given.map(({ transactionCode }) => transactionCode)).toEqual(['2'])
      await acknowledge(database, [given[0]?.id ?? ''])
      expect(await claimed(database, NOW_MS + 184 * MINUTE_MS)).toEqual([100, 200])
    })

    it('come at once when the settlement that they may wait for is added', async () => {
      await recordChange(database, '1', 100)
      for (const minute of [0, 1, 2, 4, 8]) await claimed(database, NOW_MS + minute * MINUTE_MS)
      const nowMs = NOW_MS + 9 * MINUTE_MS
      expect(await claimed(database, nowMs)).toEqual([])
      const card = { brand: 'visa', bin: '411111', lastFour: '1111' } as const
      const answer = { kind: 'answered', outcome: 'approved', card } as const
      await database.transact((trx) =>
        announceSettled(
          trx,
          { environment: 'production', transactionCode: '1', answer },
          { atMs: 5, nowMs },
        ),
      )
      expect(await claimed(database, nowMs)).toEqual([100, 0])
    })

    it('that come again and again are listed, and no backlog of others', async () => {
      await recordChange(database, '1', 100)
      await recordChange(database, '2', 200, { nowMs: NOW_MS + 1 })
      const [, second] = await claimChanges(database, 'production', NOW_MS + 1)
      await acknowledge(database, [second?.id ?? ''])
      expect(await listParkedChanges(database.reader)).toEqual([])
      for (const minute of [1, 2, 4, 8]) await claimed(database, NOW_MS + 1 + minute * MINUTE_MS)
      expect(await listParkedChanges(database.reader)).toMatchObject([
        { environment: 'production', transactionCode: '1', change: 'charged_back', attempts: 5 },
      ])
      expect(await oldestChangeAtMs(database.reader, 'production')).toBeUndefined()
      await recordChange(database, '3', 300, { nowMs: NOW_MS + 2 })
      expect(await oldestChangeAtMs(database.reader, 'production')).toBe(NOW_MS + 2)
    })

    it('are reported again to a gateway whose database was restored', async () => {
      await recordChange(database, '1', 100)
      await recordChange(database, '2', 200, { nowMs: NOW_MS + 1 })
      const [first, second] = await claimChanges(database, 'production', NOW_MS + 1)
      await acknowledge(database, [first?.id ?? ''], NOW_MS)
      await acknowledge(database, [second?.id ?? ''], NOW_MS + MINUTE_MS)
      expect(await oldestChangeAtMs(database.reader, 'production')).toBeUndefined()
      expect(await database.transact((trx) => reannounce(trx, 'sandbox', NOW_MS))).toBe(0)
      expect(
        await database.transact((trx) => reannounce(trx, 'production', NOW_MS + MINUTE_MS)),
      ).toBe(1)
      expect(await claimed(database, NOW_MS + MINUTE_MS)).toEqual([200])
      expect(await oldestChangeAtMs(database.reader, 'production')).toBe(NOW_MS + 1)
    })
  })

async function openTwice() {
  const [one, other] = await openTwiceOnPostgres<VaultTables>(VAULT_MIGRATIONS)
  onTestFinished(async () => {
    await other.close()
    await one.close()
  })
  return { one, other }
}

it('a change that is locked is waited for, and no later one of its charge comes before it', async () => {
  const { one, other } = await openTwice()
  await recordChange(one, '1', 100)
  await claimed(one, NOW_MS)
  await recordChange(one, '1', 200)
  let given: Promise<number[]> | undefined
  await one.transact(async (trx) => {
    const first = trx.selectFrom('card_changes').select('id').where('attempts', '=', 1)
    expect(await first.forUpdate().execute()).toHaveLength(1)
    given = claimed(other, NOW_MS + MINUTE_MS)
    await expect.poll(() => lockWaiters(one)).toBe(1)
  })
  expect(await given).toEqual([100, 200])
})

it('two gateways at two vaults share the changes between them', async () => {
  const { one, other } = await openTwice()
  for (let i = 0; i < 90; i++) await recordChange(i % 2 === 0 ? one : other, String(i % 7), i)
  const rounds = await Promise.all([one, other, one, other].map((db) => claimed(db, NOW_MS)))
  const all = rounds.flat()
  expect(new Set(all).size).toBe(all.length)
  const byCharge = Array.from({ length: 7 }, (_, charge) =>
    rounds.filter((round) => round.some((amount) => amount % 7 === charge)),
  )
  // One caller has all changes of a charge, in order.
  for (const [charge, callers] of byCharge.entries()) {
    expect(callers.length).toBeLessThanOrEqual(1)
    const amounts = (callers[0] ?? []).filter((amount) => amount % 7 === charge)
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b))
  }
})
