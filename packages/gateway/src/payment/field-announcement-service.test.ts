import { DAY_MS, type FieldSettings, HOUR_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS, type TestGateway, openTestGateway } from '../gateway.fixture.js'
import type { MerchantSettings } from '../model/merchant/merchant.js'
import { announceFieldSettings } from './field-announcement-service.js'

const ORIGINS = ['https://shop.example']
const LEASE_MS = 5 * SECOND_MS
const OTHERS = ['https://other.example', 'http://localhost:3000']

/** A vault that keeps the newest settings, as the real one does. */
class KeepingVault {
  readonly notified: FieldSettings[] = []
  kept: FieldSettings | undefined
  /** Called after the vault has kept the settings, before it answers. */
  beforeAnswer: () => Promise<unknown> | undefined = () => undefined

  readonly set = async (settings: FieldSettings): Promise<number> => {
    this.notified.push(settings)
    if (this.kept === undefined || this.kept.revision < settings.revision) this.kept = settings
    const { revision } = this.kept
    await this.beforeAnswer()
    return revision
  }
}

for (const engine of TEST_ENGINES) {
  describe(`The vault learns of card fields, on ${engine.name}`, () => {
    let test: TestGateway
    let vault: KeepingVault
    let nowMs: number
    beforeEach(async () => {
      nowMs = NOW_MS
      test = await openTestGateway(engine, { machineClock: { now: () => nowMs } })
      vault = new KeepingVault()
      test.setFields(vault.set)
    })
    afterEach(() => test.close())

    const change = (settings: Partial<MerchantSettings>) =>
      test.parts.merchants.change(MERCHANT.id, settings, 'operator:ana')
    const announce = () => announceFieldSettings(test.parts)
    const waiting = async () => (await test.gateway.waitingFields()).map(({ storeId }) => storeId)
    const fail = () => Promise.reject(new Error('the vault is away'))

    it('when they change, once, until the vault has acknowledged them', async () => {
      await change({ fieldOrigins: ORIGINS })
      expect(await waiting()).toEqual([MERCHANT.id])
      await announce()
      await announce()
      expect(vault.notified).toEqual([
        {
          environment: 'production',
          storeId: MERCHANT.id,
          revision: NOW_MS,
          origins: ORIGINS,
          showsBin: false,
        },
      ])
      expect(await waiting()).toEqual([])
      await change({ showsBin: true })
      await change({ fieldOrigins: [] })
      await announce()
      expect(vault.kept).toMatchObject({ origins: [], showsBin: true })
      expect(vault.notified).toHaveLength(2)
    })

    it('of a store that is created with some, and by a start, and of no other', async () => {
      await test.parts.merchants.create({ ...MERCHANT, id: 'without' }, 'operator:ana')
      await change({ name: 'Loja Nova', fieldOrigins: [], showsBin: false })
      await announce()
      expect(vault.notified).toEqual([])
      await test.parts.merchants.create({ ...MERCHANT, id: 'with', fieldOrigins: ORIGINS }, 'start')
      await test.gateway.saveMerchant({ ...MERCHANT, fieldOrigins: OTHERS })
      await test.gateway.saveMerchant({ ...MERCHANT, fieldOrigins: OTHERS })
      await announce()
      expect(vault.notified.map(({ storeId, origins }) => [storeId, origins]).toSorted()).toEqual([
        [MERCHANT.id, OTHERS],
        ['with', ORIGINS],
      ])
    })

    it('in the same unit of work: a change that was not made is not announced', async () => {
      test.logged.splice(0)
      const { merchants } = test.parts
      const broken = { ...MERCHANT, fieldOrigins: ORIGINS, name: null as unknown as string }
      await expect(merchants.change(MERCHANT.id, broken, 'start')).rejects.toThrow()
      expect(await waiting()).toEqual([])
    })

    it('again when the process dies between the vault’s work and what it answers', async () => {
      await change({ fieldOrigins: ORIGINS })
      vault.beforeAnswer = fail
      await expect(announce()).rejects.toThrow(/card fields of store-1: .*the vault is away/)
      expect(await waiting()).toEqual([MERCHANT.id])
      vault.beforeAnswer = () => undefined
      nowMs += LEASE_MS
      await announce()
      expect(await waiting()).toEqual([])
      expect(vault.notified).toHaveLength(2)
      expect(vault.notified[1]).toEqual(vault.notified[0])
    })

    it('after an outage as they are then, since when they have waited for it', async () => {
      test.setFields(fail)
      await change({ fieldOrigins: ORIGINS })
      await expect(announce()).rejects.toThrow()
      nowMs += HOUR_MS
      await change({ fieldOrigins: OTHERS })
      expect(await test.gateway.waitingFields()).toEqual([
        { storeId: MERCHANT.id, sinceMs: NOW_MS },
      ])
      test.setFields(vault.set)
      await announce()
      expect(vault.notified.map(({ origins }) => origins)).toEqual([OTHERS])
    })

    it('of one store though the settings of another cannot be read', async () => {
      await test.parts.merchants.create({ ...MERCHANT, id: 'bad', fieldOrigins: ORIGINS }, 'start')
      await change({ fieldOrigins: ORIGINS })
      await test.database.transact((trx) =>
        trx.updateTable('merchants').set({ field_origins: '[' }).where('id', '=', 'bad').execute(),
      )
      await announce()
      expect(vault.notified.map(({ storeId }) => storeId)).toEqual([MERCHANT.id])
      expect(test.logged.join('\n')).toContain('"store":"bad"')
    })

    it('of one store though the vault refuses another', async () => {
      await test.parts.merchants.create({ ...MERCHANT, id: 'bad', fieldOrigins: ORIGINS }, 'start')
      await change({ fieldOrigins: ORIGINS })
      test.setFields((notified) => (notified.storeId === 'bad' ? fail() : vault.set(notified)))
      await announce()
      expect(await waiting()).toEqual(['bad'])
      expect(test.logged.join()).toContain('card fields were not sent')
      nowMs += LEASE_MS
      await expect(announce()).rejects.toThrow('card fields of bad')
    })

    it('of one store however many before it the vault refuses', async () => {
      for (let i = 0; i < 25; i++) {
        const store = { ...MERCHANT, id: `bad-${i}`, fieldOrigins: ORIGINS }
        await test.parts.merchants.create(store, 'start')
      }
      nowMs += 1
      await change({ fieldOrigins: ORIGINS })
      test.setFields((notified) =>
        notified.storeId === MERCHANT.id ? vault.set(notified) : fail(),
      )
      nowMs += 1
      await expect(announce()).rejects.toThrow('card fields of bad')
      nowMs += 1
      await announce()
      expect(await waiting()).not.toContain(MERCHANT.id)
    })

    it('of a change that is made while the one before is announced', async () => {
      await change({ fieldOrigins: ORIGINS })
      vault.beforeAnswer = () => {
        vault.beforeAnswer = () => undefined
        return change({ fieldOrigins: OTHERS })
      }
      await announce()
      expect(await waiting()).toEqual([MERCHANT.id])
      await announce()
      expect(vault.kept?.origins).toEqual(OTHERS)
      expect(await waiting()).toEqual([])
    })

    it('by one of several workers, and again seconds after it did not answer', async () => {
      await change({ fieldOrigins: ORIGINS })
      vault.beforeAnswer = fail
      const ends = await Promise.allSettled([announce(), announce(), announce()])
      expect(ends.map(({ status }) => status).toSorted()).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
      ])
      nowMs += LEASE_MS - 1
      await announce()
      expect(vault.notified).toHaveLength(1)
      nowMs += 1
      await expect(announce()).rejects.toThrow('the vault is away')
      expect(vault.notified).toHaveLength(2)
    })

    it('by two workers as by one, though one’s call arrives late', async () => {
      await change({ fieldOrigins: ORIGINS })
      vault.beforeAnswer = async () => {
        vault.beforeAnswer = () => undefined
        await change({ fieldOrigins: OTHERS })
        await announce()
      }
      await Promise.all([announce(), announce()])
      await announce()
      expect(vault.kept?.origins).toEqual(OTHERS)
      expect(await waiting()).toEqual([])
      // No third revision: the newer answer is not mistaken for a restored database.
      expect(new Set(vault.notified.map(({ revision }) => revision)).size).toBe(2)
    })

    it('again after an hour: the vault’s database may have been restored', async () => {
      await change({ fieldOrigins: ORIGINS })
      await announce()
      vault.kept = undefined
      nowMs += HOUR_MS - 1
      await announce()
      expect(vault.kept).toBeUndefined()
      nowMs += 1
      await announce()
      expect(vault.kept).toMatchObject({ origins: ORIGINS, revision: NOW_MS })
    })

    it('under a newer revision where its own database was restored', async () => {
      await change({ fieldOrigins: ORIGINS })
      await announce()
      // Sent by the database that was lost.
      const lost = NOW_MS + DAY_MS
      vault.kept = { ...vault.notified[0], revision: lost, origins: OTHERS } as FieldSettings
      nowMs += HOUR_MS
      await announce()
      await announce()
      expect(vault.kept).toMatchObject({ origins: ORIGINS, revision: lost + 1 })
      expect(await waiting()).toEqual([])
      nowMs += HOUR_MS
      await change({ fieldOrigins: OTHERS })
      await announce()
      expect(vault.kept).toMatchObject({ origins: OTHERS, revision: lost + 2 })
    })

    it('though the clock was set back', async () => {
      await change({ fieldOrigins: ORIGINS })
      await announce()
      nowMs -= DAY_MS
      await change({ fieldOrigins: OTHERS })
      await announce()
      expect(vault.kept).toMatchObject({ origins: OTHERS, revision: NOW_MS + 1 })
      vault.kept = undefined
      nowMs -= DAY_MS
      await announce()
      expect(vault.kept).toMatchObject({ origins: OTHERS })
    })

    it('at most a few at once, until all are announced', async () => {
      const ids = Array.from({ length: 45 }, (_, i) => `many-${i}`)
      for (const id of ids)
        await test.parts.merchants.create({ ...MERCHANT, id, fieldOrigins: ORIGINS }, 'start')
      const before = await waiting()
      await announce()
      expect(before.length - (await waiting()).length).toBe(20)
      for (let i = 0; i < 2; i++) await announce()
      expect(await waiting()).toEqual([])
      expect(new Set(vault.notified.map(({ storeId }) => storeId)).size).toBe(45)
    })
  })
}
