import { createSecretKey } from 'node:crypto'
import { markTrial } from '@cofre/provider-kit/account'
import { type Environment, Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ANA,
  OTHER_STORE,
  STORE,
  accountNamed,
  describeAccountStore,
} from '../../../../provider-kit/test/describe-account-store.js'
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
const PIX = { merchantId: STORE, method: 'pix' } as const

for (const engine of TEST_ENGINES) {
  const time = { nowMs: NOW_MS }
  const clock = { now: () => time.nowMs }
  const storesOf = (database: Database<GatewayTables>) => {
    const secrets = createSecretWrapping('production', [OLD])
    return createSqlMerchantStore({ database, clock, secrets })
  }
  const open = async () => {
    const database = await engine.open<GatewayTables>(GATEWAY_MIGRATIONS)
    time.nowMs = NOW_MS
    const stores = storesOf(database)
    for (const id of [STORE, OTHER_STORE]) await stores.create({ ...MERCHANT, id }, ANA)
    return database
  }
  const accountsOf = (
    database: Database<GatewayTables>,
    environment: Environment,
    keys: [SecretKey, ...SecretKey[]],
  ) =>
    createGatewayAccounts({
      database,
      environment,
      clock,
      sealing: createSecretWrapping(environment, keys, 'provider-account'),
    })

  describeAccountStore(`a gateway on ${engine.name}`, 'pix', async () => {
    const database = await open()
    return {
      accountsOf: (environment) => accountsOf(database, environment, [OLD]),
      clock: time,
      rows: () => database.reader.selectFrom('accounts').selectAll().execute(),
      markTrial: () => markTrial(database, clock),
      close: () => database.close(),
    }
  })

  describe(`Accounts with banks on ${engine.name}`, () => {
    let database: Database<GatewayTables>
    beforeEach(async () => {
      database = await open()
    })
    afterEach(() => database.close())

    const accountsWith = (...keys: [SecretKey, ...SecretKey[]]) =>
      accountsOf(database, 'production', keys)
    const rows = () => database.reader.selectFrom('accounts').selectAll().execute()

    it('do not open under another store, account or purpose', async () => {
      const accounts = accountsWith(OLD)
      await accounts.create(accountNamed('first'), ['pix'], 'operator:ana')
      const [{ sealed } = { sealed: '' }] = await rows()
      const stores = createSecretWrapping('production', [OLD])
      const sandbox = createSecretWrapping('sandbox', [OLD], 'provider-account')
      const own = createSecretWrapping('production', [OLD], 'provider-account')
      expect(own.unwrap(`${STORE}/first`, sealed).reveal()).toContain('s3cret')
      expect(() => own.unwrap(`${STORE}/second`, sealed)).toThrow(StoreSecretError)
      expect(() => own.unwrap(`${OTHER_STORE}/first`, sealed)).toThrow(StoreSecretError)
      expect(() => sandbox.unwrap(`${STORE}/first`, sealed)).toThrow(StoreSecretError)
      expect(() => stores.unwrap(`${STORE}/first`, sealed)).toThrow('the secret of the store')
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
        await accounts.rename('one', 'Main bank', 'operator:rui')
      }
      await accounts.recordTest('one', { atMs: 1, failure: undefined })
      for (let twice = 0; twice < 2; twice++) await accounts.enable('one', 'operator:ana')
      const log = await storesOf(database).listChanges({ id: STORE, limit: 10 })
      const added = (id: string) => ({
        account: { to: id },
        provider: { to: 'made-up' },
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
        [
          'operator:rui',
          'account-renamed',
          { ...one, label: { from: 'Account one', to: 'Main bank' } },
        ],
        ['operator:ana', 'account-enabled', one],
      ])
      expect(JSON.stringify(log)).not.toMatch(/s3cret|n0tice|wrapped/)
    })

    it('are wrapped again by the current key, and need each key that wrapped them', async () => {
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
