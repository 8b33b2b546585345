import { createSecretKey } from 'node:crypto'
import type { ProviderAccount } from '@cofre/accounts'
import { Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT } from '../../gateway.fixture.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { GATEWAY_MIGRATIONS } from '../database/open-gateway-database.js'
import { createSqlMerchantStore } from '../merchant/merchant-store-sql.js'
import {
  type SecretKey,
  StoreSecretError,
  createSecretWrapping,
} from '../merchant/secret-wrapping.js'
import { createGatewayAccounts } from './gateway-accounts-sql.js'

const keyOf = (id: string, fill: number): SecretKey => ({
  id,
  key: new Secret(createSecretKey(Buffer.alloc(32, fill))),
})
const [OLD, NEW] = [keyOf('old', 1), keyOf('new', 2)]
const NOW_MS = 1000
const PIX = { merchantId: MERCHANT.id, method: 'pix' } as const

const accountNamed = (id: string, changes: Partial<ProviderAccount> = {}): ProviderAccount => ({
  id,
  merchantId: MERCHANT.id,
  provider: 'pix-api',
  kind: 'live',
  label: `Account ${id}`,
  settings: { profile: 'efi', pixKey: 'loja@example.com' },
  secrets: {
    credentials: new Secret('{"clientSecret":"s3cret of the bank"}'),
    noticeSecret: new Secret('n0tice'),
  },
  certificateUntilMs: 9000,
  lastTest: undefined,
  disabledAtMs: undefined,
  createdAtMs: NOW_MS,
  ...changes,
})

const withoutSecrets = (account: ProviderAccount) => ({ ...account, secrets: undefined })

for (const engine of TEST_ENGINES) {
  describe(`Accounts with providers on ${engine.name}`, () => {
    let database: Database<GatewayTables>
    const time = { nowMs: NOW_MS }
    const clock = { now: () => time.nowMs }
    const storesOf = () =>
      createSqlMerchantStore({
        database,
        clock,
        secrets: createSecretWrapping('production', [OLD]),
      })
    beforeEach(async () => {
      database = await engine.open<GatewayTables>(GATEWAY_MIGRATIONS)
      time.nowMs = NOW_MS
      const stores = storesOf()
      await stores.create(MERCHANT, 'operator:ana')
      await stores.create({ ...MERCHANT, id: 'other' }, 'operator:ana')
    })
    afterEach(() => database.close())

    const accountsWith = (...keys: [SecretKey, ...SecretKey[]]) =>
      createGatewayAccounts({
        database,
        environment: 'production',
        clock,
        sealing: createSecretWrapping('production', keys, 'provider-account'),
      })
    const rows = () => database.reader.selectFrom('accounts').selectAll().execute()

    it('come back as they were added, of one store or of all', async () => {
      const accounts = accountsWith(OLD)
      const [first, foreign] = [
        accountNamed('first', { lastTest: { atMs: 5, failure: 'no token' } }),
        accountNamed('foreign', { merchantId: 'other', certificateUntilMs: undefined }),
      ]
      expect(await accounts.create(first, ['pix'], 'operator:ana')).toBe(true)
      expect(await accounts.create(foreign, ['pix'], 'operator:ana')).toBe(true)
      expect(await accounts.find('first')).toEqual(first)
      expect(await accounts.find('nobody')).toBeUndefined()
      expect(await accounts.list()).toEqual([first, foreign].map(withoutSecrets))
      expect(await accounts.list('other')).toEqual([withoutSecrets(foreign)])
      expect(await accounts.describe('first')).toEqual(withoutSecrets(first))
      expect(await accounts.describe('nobody')).toBeUndefined()
    })

    it('keep no secret in the clear', async () => {
      await accountsWith(OLD).create(accountNamed('first'), ['pix'], 'operator:ana')
      expect(JSON.stringify(await rows())).not.toMatch(/s3cret|n0tice/)
    })

    it('do not open under another store, account or purpose', async () => {
      const accounts = accountsWith(OLD)
      await accounts.create(accountNamed('first'), ['pix'], 'operator:ana')
      const [{ sealed } = { sealed: '' }] = await rows()
      const stores = createSecretWrapping('production', [OLD])
      const sandbox = createSecretWrapping('sandbox', [OLD], 'provider-account')
      const own = createSecretWrapping('production', [OLD], 'provider-account')
      expect(own.unwrap(`${MERCHANT.id}/first`, sealed).reveal()).toContain('s3cret')
      expect(() => own.unwrap(`${MERCHANT.id}/second`, sealed)).toThrow(StoreSecretError)
      expect(() => own.unwrap('other/first', sealed)).toThrow(StoreSecretError)
      expect(() => sandbox.unwrap(`${MERCHANT.id}/first`, sealed)).toThrow(StoreSecretError)
      expect(() => stores.unwrap(`${MERCHANT.id}/first`, sealed)).toThrow('the secret of the store')
    })

    it('are refused under an id that is taken, and keep the first', async () => {
      const accounts = accountsWith(OLD)
      await accounts.create(accountNamed('first'), ['pix'], 'operator:ana')
      const again = accountNamed('first', { label: 'Another' })
      expect(await accounts.create(again, ['pix'], 'operator:ana')).toBe(false)
      expect(await accounts.find('first')).toEqual(accountNamed('first'))
      expect(await accounts.route(PIX)).toEqual(['first'])
    })

    it('are asked in the order that the store has given them', async () => {
      const accounts = accountsWith(OLD)
      for (const id of ['one', 'two', 'three'])
        await accounts.create(accountNamed(id), ['pix'], 'operator:ana')
      expect(await accounts.route(PIX)).toEqual(['one', 'two', 'three'])
      const order = ['three', 'one', 'two']
      expect(await accounts.order(PIX, ['three'], 'operator:ana')).toEqual(order)
      expect(await accounts.route(PIX)).toEqual(order)
      expect(await accounts.order(PIX, ['nobody'], 'operator:ana')).toBeUndefined()
      expect(
        await accounts.order({ ...PIX, merchantId: 'other' }, ['one'], 'operator:ana'),
      ).toBeUndefined()
    })

    it('keep all places when two are added and ordered at the same moment', async () => {
      const accounts = accountsWith(OLD)
      await accounts.create(accountNamed('one'), ['pix'], 'operator:ana')
      await Promise.all([
        accounts.create(accountNamed('two'), ['pix'], 'operator:ana'),
        accounts.create(accountNamed('three'), ['pix'], 'operator:ana'),
        accounts.order(PIX, ['one'], 'operator:ana'),
      ])
      const route = await accounts.route(PIX)
      expect(route.toSorted()).toEqual(['one', 'three', 'two'])
    })

    it('take new charges only while they are enabled', async () => {
      const accounts = accountsWith(OLD)
      expect(await accounts.enabledRoute(PIX)).toEqual([])
      for (const id of ['one', 'two'])
        await accounts.create(accountNamed(id), ['pix'], 'operator:ana')
      expect(await accounts.enabledRoute(PIX)).toEqual(['one', 'two'])
      expect(await accounts.firstEnabled(PIX)).toBe('one')
      time.nowMs = 7000
      expect(await accounts.disable('one', 'operator:ana')).toBe(true)
      time.nowMs = 8000
      expect(await accounts.disable('one', 'operator:ana')).toBe(true)
      expect((await accounts.find('one'))?.disabledAtMs).toBe(7000)
      expect(await accounts.enabledRoute(PIX)).toEqual(['two'])
      await accounts.disable('two', 'operator:ana')
      expect(await accounts.enabledRoute(PIX)).toEqual([])
      expect(await accounts.enable('one', 'operator:ana')).toBe(true)
      expect(await accounts.enabledRoute(PIX)).toEqual(['one'])
      expect(await accounts.disable('nobody', 'operator:ana')).toBe(false)
    })

    it('change their credentials and stay the same account', async () => {
      const accounts = accountsWith(OLD)
      await accounts.create(accountNamed('one'), ['pix'], 'operator:ana')
      const secrets = { credentials: new Secret('{"new":1}'), noticeSecret: new Secret('other') }
      const rotation = { secrets, certificateUntilMs: undefined }
      expect(await accounts.rotate('one', rotation, 'operator:ana')).toBe(true)
      const rotated = accountNamed('one', { secrets, certificateUntilMs: undefined })
      const found = await accounts.find('one')
      expect(found).toEqual(rotated)
      expect(found?.secrets.credentials.reveal()).toBe('{"new":1}')
      expect(await accounts.rotate('nobody', rotation, 'operator:ana')).toBe(false)
    })

    it('leave each change in the log of their store, with who made it and no secret', async () => {
      const accounts = accountsWith(OLD)
      await accounts.create(accountNamed('one'), ['pix'], 'operator:ana')
      await accounts.create(accountNamed('two'), ['pix'], 'operator:ana')
      await accounts.create(accountNamed('two'), ['pix'], 'operator:eve')
      const secrets = accountNamed('one').secrets
      await accounts.rotate('one', { secrets, certificateUntilMs: 10_000 }, 'operator:rui')
      for (let twice = 0; twice < 2; twice++) {
        await accounts.order(PIX, ['two'], 'operator:rui')
        await accounts.disable('one', 'operator:rui')
      }
      await accounts.recordTest('one', { atMs: 1, failure: undefined })
      for (let twice = 0; twice < 2; twice++) await accounts.enable('one', 'operator:ana')
      const log = await storesOf().listChanges({ id: MERCHANT.id, limit: 10 })
      const added = (id: string) => ({
        account: { to: id },
        provider: { to: 'pix-api' },
        kind: { to: 'live' },
        label: { to: `Account ${id}` },
        methods: { to: 'pix' },
      })
      const until = { from: '1970-01-01T00:00:09.000Z', to: '1970-01-01T00:00:10.000Z' }
      const one = { account: { to: 'one' } }
      expect(
        log
          .toReversed()
          .slice(1)
          .map(({ actor, action, settings }) => [actor, action, settings]),
      ).toEqual([
        ['operator:ana', 'account-added', added('one')],
        ['operator:ana', 'account-added', added('two')],
        ['operator:rui', 'account-rotated', { ...one, certificateUntil: until }],
        ['operator:rui', 'accounts-ordered', { pix: { from: 'one, two', to: 'two, one' } }],
        ['operator:rui', 'account-disabled', one],
        ['operator:ana', 'account-enabled', one],
      ])
      expect(JSON.stringify(log)).not.toMatch(/s3cret|n0tice|wrapped/)
    })

    it('say how their last test ended', async () => {
      const accounts = accountsWith(OLD)
      await accounts.create(accountNamed('one'), ['pix'], 'operator:ana')
      const failed = { atMs: 3000, failure: 'the bank refused the credentials' }
      await accounts.recordTest('one', failed)
      expect((await accounts.find('one'))?.lastTest).toEqual(failed)
      await accounts.recordTest('one', { atMs: 4000, failure: undefined })
      expect((await accounts.find('one'))?.lastTest).toEqual({ atMs: 4000, failure: undefined })
    })

    it('are wrapped anew by the current key, and need each key that wrapped them', async () => {
      await accountsWith(OLD).create(accountNamed('one'), ['pix'], 'operator:ana')
      expect(await accountsWith(NEW, OLD).rewrap()).toBe(1)
      expect(await accountsWith(NEW).rewrap()).toBe(0)
      expect(await accountsWith(NEW).find('one')).toEqual(accountNamed('one'))
      await expect(accountsWith(OLD).find('one')).rejects.toThrow(StoreSecretError)
      await expect(accountsWith(OLD).rewrap()).rejects.toThrow('the gateway key new')
    })

    it('whose key is lost get new credentials once what it sealed is given up', async () => {
      await accountsWith(OLD).create(accountNamed('one'), ['pix'], 'operator:ana')
      await database.transact((trx) =>
        trx.updateTable('accounts').set({ sealed: 'lost' }).execute(),
      )
      const accounts = accountsWith(NEW)
      expect(await accounts.rewrap()).toBe(0)
      await expect(accounts.find('one')).rejects.toThrow(StoreSecretError)
      expect((await accounts.describe('one'))?.settings).toEqual(accountNamed('one').settings)
      const { secrets } = accountNamed('one')
      await accounts.rotate('one', { secrets, certificateUntilMs: undefined }, 'operator:ana')
      expect((await accounts.find('one'))?.secrets).toEqual(secrets)
    })
  })
}
