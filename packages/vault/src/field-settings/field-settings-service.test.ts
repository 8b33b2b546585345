import { FIELD_ORIGINS_MAX, type FieldSettings } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { latestEntries } from '../audit/audit-sql.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'

const SHOP = 'https://shop.example'
const ANNOUNCED: FieldSettings = {
  environment: 'production',
  storeId: 'store-1',
  revision: 100,
  origins: [SHOP],
  showsBin: true,
}

for (const engine of TEST_ENGINES) {
  describe(`the settings of card fields on ${engine.name}`, () => {
    let test: TestVault
    beforeEach(async () => {
      test = await openTestVault(engine)
    })
    afterEach(() => test.database.close())

    const announce = (over: Partial<FieldSettings> = {}) =>
      test.vault.setFieldSettings({ ...ANNOUNCED, ...over })
    const shown = (storeId = ANNOUNCED.storeId) => test.vault.fieldSettingsOf(storeId)
    const audited = () =>
      latestEntries(test.database.reader, { limit: 9, action: 'card_fields.set' })

    it('are nothing for a store that is not known', async () => {
      expect(await shown('nobody')).toEqual({ origins: [], showsBin: false })
    })

    it('are the newest, in whatever order they arrive and however often', async () => {
      expect(await announce({ revision: 200, origins: ['https://new.example'] })).toBe(200)
      expect(await announce()).toBe(200)
      expect(await announce({ revision: 200, origins: ['https://other.example'] })).toBe(200)
      expect(await shown()).toEqual({ origins: ['https://new.example'], showsBin: true })
      expect(await announce({ revision: 201, origins: [] })).toBe(201)
      expect(await shown()).toEqual({ origins: [], showsBin: false })
    })

    it('are the newest when many arrive at once', async () => {
      const revisions = [3, 1, 5, 2, 4]
      await Promise.all(
        revisions.map((revision) =>
          announce({ revision, origins: [`https://${revision}.example`] }),
        ),
      )
      expect(await shown()).toEqual({ origins: ['https://5.example'], showsBin: true })
    })

    it('are those of both environments together', async () => {
      const sandbox = { environment: 'sandbox', origins: [SHOP, 'http://localhost:3000'] } as const
      await announce()
      await announce({ ...sandbox, revision: 1 })
      const origins = [SHOP, 'http://localhost:3000']
      expect(await shown()).toEqual({ origins, showsBin: true })
      await announce({ ...sandbox, revision: 2, showsBin: false })
      expect(await shown()).toEqual({ origins, showsBin: false })
      await announce({ ...sandbox, revision: 3, showsBin: false, origins: [] })
      expect(await shown()).toEqual({ origins: [SHOP], showsBin: true })
    })

    it('are no other store’s', async () => {
      await announce()
      await announce({ storeId: 'store-2', origins: ['https://two.example'] })
      expect((await shown()).origins).toEqual([SHOP])
      expect((await shown('store-2')).origins).toEqual(['https://two.example'])
    })

    it('are as many as a store may have', async () => {
      const origins = Array.from({ length: FIELD_ORIGINS_MAX }, (_, i) => `https://${i}.example`)
      await announce({ origins })
      expect((await shown()).origins).toEqual(origins)
    })

    it('leave an entry for auditors, each time that something is another', async () => {
      const changes = [{}, {}, { showsBin: false }, { showsBin: false, origins: [] }]
      for (const [i, change] of changes.entries()) {
        await announce({ revision: 100 + i, ...change })
        test.clock.nowMs += 1
      }
      const whose = { actor: 'gateway', environment: 'production', merchantId: 'store-1' }
      const entry = { ...whose, record: 'store-1' }
      expect((await audited()).toReversed()).toMatchObject([
        { ...entry, outcome: `${SHOP}, with the BIN` },
        { ...entry, outcome: SHOP },
        { ...entry, outcome: 'no origins' },
      ])
    })

    it('are never read as something else than origins: they go into a header', async () => {
      await announce()
      await test.database.transact((trx) =>
        trx
          .updateTable('store_field_settings')
          .set({ origins: JSON.stringify(['https://a; script-src *']) })
          .execute(),
      )
      await expect(shown()).rejects.toThrow()
    })
  })
}
