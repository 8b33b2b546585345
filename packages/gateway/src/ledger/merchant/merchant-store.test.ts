import { createSecretKey } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GatewayTables } from '../database/gateway-tables.js'
import { GATEWAY_MIGRATIONS } from '../database/open-gateway-database.js'
import { MERCHANT } from '../../gateway.fixture.js'
import { createSqlMerchantStore } from './merchant-store-sql.js'
import { type SecretKey, StoreSecretError, createSecretWrapping } from './secret-wrapping.js'

const keyOf = (id: string, fill: number): SecretKey => ({
  id,
  key: new Secret(createSecretKey(Buffer.alloc(32, fill))),
})
const [OLD, NEW] = [keyOf('old', 1), keyOf('new', 2)]
const SECRET = MERCHANT.secret.reveal()
const NOW_MS = 1000
const OPERATOR = 'operator:ana'
const ROTATION = { previousUntilMs: 5000, actor: OPERATOR } as const

for (const engine of TEST_ENGINES) {
  describe(`The stores of merchants on ${engine.name}`, () => {
    let database: Database<GatewayTables>
    beforeEach(async () => {
      database = await engine.open<GatewayTables>(GATEWAY_MIGRATIONS)
    })
    afterEach(() => database.close())

    const storesWith = (...keys: [SecretKey, ...SecretKey[]]) =>
      createSqlMerchantStore({
        database,
        clock: { now: () => NOW_MS },
        secrets: createSecretWrapping('production', keys),
      })
    const rows = () => database.reader.selectFrom('store_keys').selectAll().execute()
    const change = (values: { secret?: string; previous_secret?: string }, id = MERCHANT.id) =>
      database.transact((trx) =>
        trx.updateTable('store_keys').set(values).where('merchant_id', '=', id).execute(),
      )

    it('keep secrets wrapped, the one before a rotation too', async () => {
      const stores = storesWith(OLD)
      expect(await stores.create(MERCHANT, OPERATOR)).toBe(true)
      await stores.rotateSecret(MERCHANT.id, new Secret('the second secret'), ROTATION)
      expect(JSON.stringify(await rows())).not.toMatch(/secret of the store|second secret/)
      const found = await stores.find(MERCHANT.id)
      expect(found?.secret.reveal()).toBe('the second secret')
      expect(found?.previousSecret?.secret.reveal()).toBe(SECRET)
    })

    it('find at once what another process has changed', async () => {
      const [stores, others] = [storesWith(OLD), storesWith(OLD)]
      await stores.create(MERCHANT, OPERATOR)
      await stores.find(MERCHANT.id)
      await others.rotateSecret(MERCHANT.id, new Secret('the second secret'), ROTATION)
      await others.change(MERCHANT.id, { enabled: false }, OPERATOR)
      const found = await stores.find(MERCHANT.id)
      expect(found?.secret.reveal()).toBe('the second secret')
      expect(found?.enabled).toBe(false)
    })

    it('open no secret that was moved to another store, though they know it', async () => {
      const stores = storesWith(OLD)
      await stores.create(MERCHANT, OPERATOR)
      await stores.find(MERCHANT.id)
      await stores.create({ ...MERCHANT, id: 'another' }, OPERATOR)
      const [row] = (await rows()).filter((row) => row.merchant_id === MERCHANT.id)
      await change({ secret: row!.secret }, 'another')
      await expect(stores.find('another')).rejects.toThrow(StoreSecretError)
    })

    it('refuse to create a store twice, and change nothing of the first', async () => {
      const stores = storesWith(OLD)
      await stores.create(MERCHANT, OPERATOR)
      expect(await stores.create({ ...MERCHANT, secret: new Secret('another') }, OPERATOR)).toBe(
        false,
      )
      expect((await stores.find(MERCHANT.id))?.secret.reveal()).toBe(SECRET)
    })

    it('keep the secret before alive when a store is saved with the secret that it has', async () => {
      const stores = storesWith(OLD)
      await stores.create(MERCHANT, OPERATOR)
      await stores.rotateSecret(MERCHANT.id, new Secret('the second secret'), ROTATION)
      await stores.save({ ...MERCHANT, secret: new Secret('the second secret') }, 'start')
      expect((await stores.find(MERCHANT.id))?.previousSecret?.untilMs).toBe(5000)
      await stores.save({ ...MERCHANT, secret: new Secret('the third secret') }, 'start')
      expect((await stores.find(MERCHANT.id))?.previousSecret).toBeUndefined()
    })

    it('wrap what an earlier version kept in the clear, and then take nothing in the clear', async () => {
      const stores = storesWith(OLD)
      await stores.create(MERCHANT, OPERATOR)
      await change({ secret: SECRET, previous_secret: 'the one before' })
      await expect(stores.find(MERCHANT.id)).rejects.toThrow(StoreSecretError)
      expect(await stores.rewrapSecrets()).toBe(1)
      expect(await stores.rewrapSecrets()).toBe(0)
      expect((await stores.find(MERCHANT.id))?.secret.reveal()).toBe(SECRET)
      expect(JSON.stringify(await rows())).not.toContain('the one before')
    })

    it('move to a new key, and name a key that is missing', async () => {
      await storesWith(OLD).create(MERCHANT, OPERATOR)
      await expect(storesWith(NEW).rewrapSecrets()).rejects.toThrow('needs the gateway key old')
      expect(await storesWith(NEW, OLD).rewrapSecrets()).toBe(1)
      expect((await storesWith(NEW).find(MERCHANT.id))?.secret.reveal()).toBe(SECRET)
    })

    it('do not open a secret that was moved to another store, or changed', async () => {
      const stores = storesWith(OLD)
      await stores.create(MERCHANT, OPERATOR)
      await stores.create(
        { ...MERCHANT, id: 'thief', secret: new Secret('known to the thief') },
        OPERATOR,
      )
      const thiefs = (await rows()).find((row) => row.merchant_id === 'thief')?.secret ?? ''
      await change({ secret: thiefs })
      await expect(stores.find(MERCHANT.id)).rejects.toThrow(/store-1 does not open/)
      await expect(storesWith(keyOf('old', 9)).find('thief')).rejects.toThrow(StoreSecretError)
    })

    it('list and disable', async () => {
      const stores = storesWith(OLD)
      await stores.create({ ...MERCHANT, id: 'b' }, OPERATOR)
      await stores.create({ ...MERCHANT, id: 'a' }, OPERATOR)
      expect(await stores.change('b', { enabled: false }, OPERATOR)).toBeDefined()
      expect(await stores.change('c', { enabled: false }, OPERATOR)).toBeUndefined()
      expect((await stores.list()).map(({ id, enabled }) => [id, enabled])).toEqual([
        ['a', true],
        ['b', false],
      ])
    })
  })
}
