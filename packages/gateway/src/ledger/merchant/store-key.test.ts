import { createSecretKey } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT } from '../../gateway.fixture.js'
import { liveKeys, notificationSecrets } from '../../model/merchant/merchant.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { GATEWAY_MIGRATIONS } from '../database/open-gateway-database.js'
import { findLostSecrets, withdrawLostSecrets } from './lost-secret-sql.js'
import { createSqlMerchantStore } from './merchant-store-sql.js'
import { type SecretKey, StoreSecretError, createSecretWrapping } from './secret-wrapping.js'

const keyOf = (id: string, fill: number): SecretKey => ({
  id,
  key: new Secret(createSecretKey(Buffer.alloc(32, fill))),
})
const [OLD, NEW] = [keyOf('old', 1), keyOf('new', 2)]
const OPERATOR = 'operator:ana'
const START_MS = 1000
const { id: STORE } = MERCHANT

for (const engine of TEST_ENGINES) {
  describe(`The keys of stores on ${engine.name}`, () => {
    let database: Database<GatewayTables>
    let nowMs = START_MS
    beforeEach(async () => {
      nowMs = START_MS
      database = await engine.open<GatewayTables>(GATEWAY_MIGRATIONS)
      await storesWith(OLD).create(MERCHANT, OPERATOR)
    })
    afterEach(() => database.close())

    const storesWith = (...keys: [SecretKey, ...SecretKey[]]) =>
      createSqlMerchantStore({
        database,
        clock: { now: () => nowMs },
        secrets: createSecretWrapping('production', keys),
      })
    const keyNamed = (id: string, endsAtMs?: number) => ({
      id,
      name: `The program ${id}`,
      scopes: ['read', 'refund'] as const,
      secret: new Secret(`the secret of ${id}`),
      endsAtMs,
    })
    const add = (id: string, endsAtMs?: number) =>
      storesWith(OLD).addKey(STORE, keyNamed(id, endsAtMs), OPERATOR)
    const signing = async (stores = storesWith(OLD)) => {
      const merchant = await stores.find(STORE)
      return liveKeys(merchant!, nowMs).map(({ id, scopes, secrets }) => [
        id,
        scopes,
        secrets.map((secret) => secret.reveal()),
      ])
    }
    const FIRST = ['first', ['pay', 'refund', 'read', 'configure'], [MERCHANT.secret.reveal()]]
    const further = (id: string) => [id, ['refund', 'read'], [`the secret of ${id}`]]
    const notifying = async () =>
      notificationSecrets((await storesWith(OLD).find(STORE))!, nowMs).map((one) => one.reveal())

    it('are found with their store, the first one first, and kept wrapped', async () => {
      expect(await add('k-00000002')).toBeUndefined()
      nowMs += 1
      expect(await add('k-00000001')).toBeUndefined()
      expect(await signing()).toEqual([FIRST, further('k-00000002'), further('k-00000001')])
      const rows = await database.reader.selectFrom('store_keys').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain('the secret of')
    })

    it('are four at most that are live', async () => {
      await add('k-00000001', nowMs + 1)
      await add('k-00000002')
      await add('k-00000003')
      expect(await add('k-00000004')).toBe('too-many')
      nowMs += 1
      expect(await add('k-00000004')).toBeUndefined()
      expect(await add('k-00000005')).toBe('too-many')
      await storesWith(OLD).endKey(STORE, 'k-00000002', OPERATOR)
      expect(await add('k-00000005')).toBeUndefined()
      expect((await signing()).map(([id]) => id)).toEqual([
        'first',
        'k-00000003',
        'k-00000004',
        'k-00000005',
      ])
    })

    it('are four at most also when many are added at once', async () => {
      const ids = Array.from({ length: 6 }, (_, i) => `k-0000000${i}`)
      const refused = await Promise.all(ids.map((id) => add(id)))
      expect(refused.filter((refusal) => refusal === 'too-many')).toHaveLength(3)
      expect(await signing()).toHaveLength(4)
    })

    it('are refused where there is no store, or no such live key', async () => {
      const stores = storesWith(OLD)
      expect(await stores.addKey('nobody', keyNamed('k-00000001'), OPERATOR)).toBe('no-store')
      expect(await stores.endKey('nobody', 'first', OPERATOR)).toBe('no-store')
      expect(await stores.endKey(STORE, 'k-00000001', OPERATOR)).toBe('unknown')
      await add('k-00000001')
      expect(await stores.endKey(STORE, 'k-00000001', OPERATOR)).toBeUndefined()
      expect(await stores.endKey(STORE, 'k-00000001', OPERATOR)).toBe('ended-before')
      const rotation = { keyId: 'k-00000001', previousUntilMs: nowMs, actor: OPERATOR } as const
      expect(await stores.rotateSecret(STORE, new Secret('x'), rotation)).toBe(false)
    })

    it('are rotated one by one', async () => {
      await add('k-00000001')
      const rotation = { keyId: 'k-00000001', previousUntilMs: 2000, actor: OPERATOR } as const
      await storesWith(OLD).rotateSecret(STORE, new Secret('the next'), rotation)
      const rotated = ['k-00000001', ['refund', 'read'], ['the next', 'the secret of k-00000001']]
      expect(await signing()).toEqual([FIRST, rotated])
      nowMs = 2000
      expect(await signing()).toEqual([FIRST, ['k-00000001', ['refund', 'read'], ['the next']]])
    })

    it('are used while they change', async () => {
      const key = liveKeys((await storesWith(OLD).find(STORE))!, nowMs)[0]!
      // Each has written no use yet. The two collide often, not always.
      for (let round = 0; round < 20; round++) {
        const stores = storesWith(OLD)
        const rotation = { previousUntilMs: nowMs, actor: OPERATOR } as const
        await Promise.all([
          stores.signed({ merchant: MERCHANT, key, form: 'specification' }),
          stores.rotateSecret(STORE, new Secret(`the secret of round ${round}`), rotation),
        ])
      }
      expect(await storesWith(OLD).find(STORE)).toMatchObject({
        specificationSignedAtMs: nowMs,
        firstKey: { usedAtMs: nowMs },
      })
    })

    it('sign notifications by the first, until these have a secret of their own', async () => {
      const stores = storesWith(OLD)
      await add('k-00000001')
      expect(await notifying()).toEqual([MERCHANT.secret.reveal()])
      expect(await stores.endKey(STORE, 'first', OPERATOR)).toBe('signs-notifications')
      const draw = { previousUntilMs: 2000, actor: OPERATOR } as const
      expect(await stores.drawNotificationSecret('nobody', new Secret('drawn'), draw)).toBe(false)
      expect(await stores.drawNotificationSecret(STORE, new Secret('drawn'), draw)).toBe(true)
      expect(await notifying()).toEqual(['drawn', MERCHANT.secret.reveal()])
      nowMs = 2000
      expect(await notifying()).toEqual(['drawn'])
      const again = { previousUntilMs: 3000, actor: OPERATOR } as const
      await stores.drawNotificationSecret(STORE, new Secret('drawn again'), again)
      expect(await notifying()).toEqual(['drawn again', 'drawn'])
      expect((await signing()).map(([id]) => id)).toEqual(['first', 'k-00000001'])
      expect((await stores.keysOf(STORE)).notificationSecret).toMatchObject({ createdAtMs: 2000 })

      expect(await stores.endKey(STORE, 'first', OPERATOR)).toBeUndefined()
      expect(await signing()).toEqual([further('k-00000001')])
      expect(await notifying()).toEqual(['drawn again', 'drawn'])
      const rotation = { previousUntilMs: 3000, actor: OPERATOR } as const
      expect(await stores.rotateSecret(STORE, new Secret('x'), rotation)).toBe(false)
    })

    it('sign notifications their time when a secret is drawn during a rotation', async () => {
      const stores = storesWith(OLD)
      const first = MERCHANT.secret.reveal()
      const until = (previousUntilMs: number) => ({ previousUntilMs, actor: OPERATOR }) as const
      await stores.rotateSecret(STORE, new Secret('the next'), until(2000))
      await stores.drawNotificationSecret(STORE, new Secret('drawn'), until(3000))
      expect(await notifying()).toEqual(['drawn', 'the next', first])
      nowMs = 2000
      expect(await notifying()).toEqual(['drawn', 'the next'])
      nowMs = 3000
      expect(await notifying()).toEqual(['drawn'])
    })

    it('sign no notifications any more after an end or a rotation at once', async () => {
      const stores = storesWith(OLD)
      const until = (previousUntilMs: number) => ({ previousUntilMs, actor: OPERATOR }) as const
      await stores.drawNotificationSecret(STORE, new Secret('drawn'), until(3000))
      await stores.rotateSecret(STORE, new Secret('the next'), until(3000))
      expect(await notifying()).toEqual(['drawn', MERCHANT.secret.reveal()])
      await stores.rotateSecret(STORE, new Secret('at once'), until(nowMs))
      expect(await notifying()).toEqual(['drawn'])

      await database.transact((trx) =>
        trx.deleteFrom('store_keys').where('id', '=', 'notifications').execute(),
      )
      await stores.drawNotificationSecret(STORE, new Secret('drawn again'), until(3000))
      expect(await notifying()).toEqual(['drawn again', 'at once'])
      await stores.endKey(STORE, 'first', OPERATOR)
      expect(await notifying()).toEqual(['drawn again'])
    })

    it('move to a new key of the gateway, each and the secret of notifications', async () => {
      await add('k-00000001')
      const draw = { previousUntilMs: 2000, actor: OPERATOR } as const
      await storesWith(OLD).drawNotificationSecret(STORE, new Secret('drawn'), draw)
      await expect(storesWith(NEW).rewrapSecrets()).rejects.toThrow('needs the gateway key old')
      expect(await storesWith(NEW, OLD).rewrapSecrets()).toBe(3)
      expect(await signing(storesWith(NEW))).toEqual([FIRST, further('k-00000001')])
    })

    it('do not open where another key’s secret was put in their place', async () => {
      await add('k-00000001')
      await add('k-00000002')
      const rows = await database.reader.selectFrom('store_keys').selectAll().execute()
      const secret = rows.find(({ id }) => id === 'k-00000001')!.secret
      await database.transact((trx) =>
        trx.updateTable('store_keys').set({ secret }).where('id', '=', 'k-00000002').execute(),
      )
      await expect(storesWith(OLD).find(STORE)).rejects.toThrow(StoreSecretError)
    })

    it('are given up one by one where no key opens them', async () => {
      await add('k-00000001')
      await storesWith(OLD).rewrapSecrets()
      const others = storesWith(NEW, OLD)
      await others.addKey(STORE, keyNamed('k-00000002'), OPERATOR)
      const draw = { previousUntilMs: nowMs, actor: OPERATOR } as const
      await others.drawNotificationSecret(STORE, new Secret('drawn'), draw)
      const lost = { stores: [], keys: [`${STORE}/k-00000002`, `${STORE}/notifications`] }
      const clock = { now: () => nowMs }
      const deps = { database, environment: 'production', keys: [OLD], clock } as const
      const found = await findLostSecrets(deps)
      expect({ ...found, keys: found.keys.toSorted() }).toMatchObject(lost)
      const given = await withdrawLostSecrets({ ...deps, actor: OPERATOR })
      expect({ ...given, keys: given.keys.toSorted() }).toMatchObject(lost)
      expect(await signing()).toEqual([FIRST, further('k-00000001')])
      expect(await notifying()).toEqual([MERCHANT.secret.reveal()])
      expect((await storesWith(OLD).find(STORE))?.enabled).toBe(true)
    })

    it('are given up without a word once they have ended, and open afterwards', async () => {
      await add('k-00000001')
      const others = storesWith(NEW, OLD)
      await others.addKey(STORE, keyNamed('k-00000002'), OPERATOR)
      const draw = { previousUntilMs: nowMs, actor: OPERATOR } as const
      await others.drawNotificationSecret(STORE, new Secret('drawn'), draw)
      for (const id of ['first', 'k-00000001']) await others.endKey(STORE, id, OPERATOR)
      const clock = { now: () => nowMs }
      const deps = { database, environment: 'production', keys: [NEW], clock } as const
      const none = { stores: [], keys: [] }
      expect(await findLostSecrets(deps)).toMatchObject(none)
      const given = await withdrawLostSecrets({ ...deps, actor: OPERATOR })
      expect(given).toMatchObject({ ...none, disabledBefore: [] })
      await storesWith(NEW).rewrapSecrets()
      expect(await signing(storesWith(NEW))).toEqual([further('k-00000002')])
      expect((await storesWith(NEW).find(STORE))?.enabled).toBe(true)
    })

    it('sign no notifications whose secret is lost once the first has ended', async () => {
      await storesWith(OLD).rewrapSecrets()
      const draw = { previousUntilMs: nowMs, actor: OPERATOR } as const
      await storesWith(NEW, OLD).drawNotificationSecret(STORE, new Secret('drawn'), draw)
      await storesWith(OLD, NEW).endKey(STORE, 'first', OPERATOR)
      const clock = { now: () => nowMs }
      const deps = { database, environment: 'production', keys: [OLD], clock } as const
      const given = await withdrawLostSecrets({ ...deps, actor: OPERATOR })
      expect(given).toMatchObject({ stores: [], keys: [`${STORE}/notifications`] })
      await storesWith(OLD).rewrapSecrets()
      const [secret, ...others] = await notifying()
      expect([MERCHANT.secret.reveal(), 'drawn']).not.toContain(secret)
      expect(others).toEqual([])
    })

    it('have each change logged with its author, and no secret', async () => {
      const stores = storesWith(OLD)
      await add('k-00000001', 2000)
      const rotation = { keyId: 'k-00000001', previousUntilMs: 1500, actor: OPERATOR } as const
      await stores.rotateSecret(STORE, new Secret('the next secret'), rotation)
      await stores.drawNotificationSecret(STORE, new Secret('the drawn secret'), rotation)
      await stores.endKey(STORE, 'k-00000001', OPERATOR)
      const changes = await stores.listChanges({ id: STORE, limit: 10 })
      const at = (atMs: number): string => new Date(atMs).toISOString()
      expect(
        changes.slice(0, 4).map(({ actor, action, settings }) => [actor, action, settings]),
      ).toEqual([
        [OPERATOR, 'key-ended', { key: { to: 'k-00000001' }, endsAt: { to: at(1000) } }],
        [OPERATOR, 'notification-secret-drawn', { previousSecretUntil: { to: at(1500) } }],
        [OPERATOR, 'rotated', { key: { to: 'k-00000001' }, previousSecretUntil: { to: at(1500) } }],
        [
          OPERATOR,
          'key-added',
          {
            key: { to: 'k-00000001' },
            name: { to: 'The program k-00000001' },
            scopes: { to: ['read', 'refund'] },
            endsAt: { to: at(2000) },
          },
        ],
      ])
      expect(JSON.stringify(changes)).not.toMatch(/the (?:next|drawn) secret|the secret of/)
    })
  })
}
