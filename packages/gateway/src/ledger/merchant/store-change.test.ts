import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DAY_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS, type TestGateway, openTestGateway } from '../../gateway.fixture.js'
import { PREVIOUS_SECRET_LIVES_MS } from '../../model/merchant/merchant.js'
import type { MerchantStore } from './merchant-store-sql.js'

const OPERATOR = 'operator:ana'
const LATER_MS = NOW_MS + DAY_MS
const NEXT_SECRET = new Secret('the next secret of the store')
const LAST_SECRET = new Secret('the last secret of the store')

for (const engine of TEST_ENGINES) {
  describe(`the log of stores on ${engine.name}`, () => {
    let test: TestGateway
    let stores: MerchantStore
    beforeEach(async () => {
      // The sandbox's clock may be ahead; an entry has the machine's time.
      test = await openTestGateway(engine, { clock: { now: () => LATER_MS } })
      stores = test.parts.merchants
    })
    afterEach(() => test.close())

    const changes = async (id = MERCHANT.id) =>
      (await stores.listChanges({ id, limit: 9 })).toReversed()

    it('records what was changed, its author and time, and no secret', async () => {
      await stores.change(MERCHANT.id, { enabled: false, rules: 'lenient' }, OPERATOR)
      const rotation = { previousUntilMs: LATER_MS, actor: OPERATOR } as const
      await stores.rotateSecret(MERCHANT.id, NEXT_SECRET, rotation)
      await stores.rotateSecret(MERCHANT.id, LAST_SECRET, {
        previousUntilMs: NOW_MS + PREVIOUS_SECRET_LIVES_MS,
        actor: 'panel',
      })
      const { id, secret, ...settings } = MERCHANT
      const until = new Date(LATER_MS).toISOString()
      const reported = { storeId: id, atMs: NOW_MS }
      expect(await changes()).toEqual([
        {
          ...reported,
          position: 1,
          actor: 'start',
          action: 'created',
          settings: Object.fromEntries(
            Object.entries(settings).map(([name, value]) => [name, { to: value }]),
          ),
        },
        {
          ...reported,
          position: 2,
          actor: OPERATOR,
          action: 'changed',
          settings: {
            enabled: { from: true, to: false },
            rules: { from: 'specification', to: 'lenient' },
          },
        },
        ...[OPERATOR, 'panel'].map((actor, i) => ({
          ...reported,
          position: i + 3,
          actor,
          action: 'rotated',
          settings: { previousSecretUntil: { to: until } },
        })),
      ])
      const { rows } = await sql`select * from store_changes`.execute(test.database.reader)
      for (const known of [secret, NEXT_SECRET, LAST_SECRET])
        expect(JSON.stringify(rows)).not.toContain(known.reveal())
      expect(JSON.stringify(rows)).not.toContain('wrapped')
    })

    it('records nothing at a start that changes nothing', async () => {
      await test.gateway.saveMerchant(MERCHANT)
      expect(await stores.change(MERCHANT.id, { enabled: true }, OPERATOR)).toEqual({})
      expect(await stores.change('nobody', { enabled: true }, OPERATOR)).toBeUndefined()
      expect(await stores.create(MERCHANT, OPERATOR)).toBe(false)
      expect(await changes()).toHaveLength(1)
    })

    it('records what is new at a start', async () => {
      await test.gateway.saveMerchant({ ...MERCHANT, name: 'Loja Nova', secret: NEXT_SECRET })
      expect((await changes()).slice(1)).toMatchObject([
        { actor: 'start', action: 'rotated', settings: { previousSecretUntil: { to: null } } },
        { actor: 'start', settings: { name: { from: 'Loja Um', to: 'Loja Nova' } } },
      ])
      expect((await stores.find(MERCHANT.id))?.secret.reveal()).toBe(NEXT_SECRET.reveal())
    })

    it('keeps every one of many changes at once, each with what was before it', async () => {
      const names = ['a', 'b', 'c', 'd', 'e']
      await Promise.all(names.map((name) => stores.change(MERCHANT.id, { name }, OPERATOR)))
      const kept = await changes()
      expect(kept.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6])
      const to = kept.map(({ settings }) => settings.name?.to)
      expect(kept.slice(1).map(({ settings }) => settings.name?.from)).toEqual(to.slice(0, -1))
      expect((await stores.find(MERCHANT.id))?.name).toBe(to.at(-1))
    })

    it('keeps every one of many additions at once: each follows from what is there', async () => {
      const added = ['https://a.example', 'https://b.example', 'https://c.example']
      const adding = added.map((origin) =>
        stores.decide(
          MERCHANT.id,
          ({ fieldOrigins }) => ({ fieldOrigins: [...fieldOrigins, origin] }),
          OPERATOR,
        ),
      )
      await Promise.all(adding)
      expect((await stores.find(MERCHANT.id))?.fieldOrigins.toSorted()).toEqual(added)
    })

    it('keeps at a start what a person has set, and adds the origins that the start brings', async () => {
      const [own, demo, moved] = ['https://a.example', 'http://localhost:1', 'http://localhost:2']
      const id = 'started'
      const started = { ...MERCHANT, id, fieldOrigins: [demo] }
      await stores.ensure(started)
      const defaults = { language: 'tr-TR', notificationUrl: 'https://a.example/n' } as const
      const rights = { enabled: false, name: 'Mine', refunds: 'none', showsBin: true } as const
      const settings = { ...rights, ...defaults }
      await stores.change(id, { ...settings, fieldOrigins: [demo, own] }, OPERATOR)
      await stores.ensure({ ...started, fieldOrigins: [demo, moved] })
      const expected = { ...settings, fieldOrigins: [demo, own, moved] }
      expect(await stores.find(id)).toMatchObject(expected)
      expect((await changes(id)).slice(2)).toMatchObject([
        { actor: 'start', settings: { fieldOrigins: { to: expected.fieldOrigins } } },
      ])
    })

    it('adds at a start no origin that a person has removed, until a person adds it', async () => {
      const demo = 'http://localhost:1'
      const started = { ...MERCHANT, id: 'started', fieldOrigins: [demo] }
      const origins = async () => (await stores.find('started'))?.fieldOrigins
      await stores.ensure(started)
      await stores.change('started', { fieldOrigins: [] }, OPERATOR)
      await stores.ensure(started)
      expect(await origins()).toEqual([])
      await stores.change('started', { fieldOrigins: [demo] }, OPERATOR)
      // A change by an older release's start: no person has removed it.
      await stores.save({ ...started, fieldOrigins: [] }, 'start')
      await stores.ensure(started)
      expect(await origins()).toEqual([demo])
    })

    it('adds at a start no more origins than a store may have', async () => {
      const own = Array.from({ length: 19 }, (_, i) => `https://${i}.example`)
      const started = { ...MERCHANT, id: 'started', fieldOrigins: [] }
      await stores.ensure({ ...started, fieldOrigins: own })
      await stores.ensure({
        ...started,
        fieldOrigins: ['http://localhost:1', 'http://localhost:2'],
      })
      expect((await stores.find('started'))?.fieldOrigins).toEqual([...own, 'http://localhost:1'])
    })

    it('has no change that was not made, and misses none that was', async () => {
      await test.database.transact((trx) =>
        sql`alter table store_changes rename to elsewhere`.execute(trx),
      )
      const changing = stores.change(MERCHANT.id, { enabled: false }, OPERATOR)
      await expect(changing).rejects.toThrow('store_changes')
      await expect(
        stores.rotateSecret(MERCHANT.id, NEXT_SECRET, { previousUntilMs: 0, actor: 'panel' }),
      ).rejects.toThrow('store_changes')
      const kept = await stores.find(MERCHANT.id)
      expect([kept?.enabled, kept?.secret.reveal()]).toEqual([true, MERCHANT.secret.reveal()])
    })

    it('lists the latest of all stores, the newest first', async () => {
      await stores.create({ ...MERCHANT, id: 'another' }, OPERATOR)
      await stores.change(MERCHANT.id, { refunds: 'none' }, OPERATOR)
      const all = await stores.listChanges({ limit: 2 })
      expect(all.map(({ storeId, position }) => [storeId, position])).toEqual([
        ['another', 1],
        [MERCHANT.id, 2],
      ])
    })
  })
}

it('no statement of the product changes or deletes entries in the log of stores', () => {
  const source = path.join(import.meta.dirname, '..', '..', '..')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /(?:src[\\/].*\.ts|migrations[\\/].*\.sql)$/.test(file) &&
      !file.includes('.test.') &&
      !file.includes('node_modules'),
  )
  const texts = files.map((file) => readFileSync(path.join(source, file), 'utf8'))
  expect(texts.filter((text) => text.includes('store_changes'))).toHaveLength(3)
  const isChange =
    /(?:updateTable|deleteFrom|dropTable)\(\s*'store_changes'|(?:update|delete from|truncate) store_changes/i
  expect(texts.filter((text) => isChange.test(text))).toEqual([])
})
