import { type AccountStore, markTrial } from '@cofre/provider-kit/account'
import { Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ANA,
  STORE,
  accountNamed,
  describeAccountStore,
} from '../../../provider-kit/test/describe-account-store.js'
import { createVault } from '../create-vault.js'
import { createDataKeys } from '../data-key/data-key-service.js'
import type { KeyEncryption } from '../keys/key-encryption.js'
import { generateKeyRing, parseKeyRing } from '../keys/key-ring.js'
import { SealError } from '../keys/sealed-value.js'
import { type TestVault, dumpDatabase, openTestVault, orderFor } from '../vault.fixture.js'
import { createVaultAdministration } from '../vault-administration.js'
import { cardAccountsByCharge, createVaultAccounts } from './account-service.js'

const CARDS = { merchantId: STORE, method: 'card' } as const
const CHARGE = { environment: 'production', merchantId: STORE } as const

/** Like a fresh process: nothing is cached. */
function depsOf({ database, clock, log, deps }: TestVault, keys: KeyEncryption = deps.keys) {
  return { database, clock, log, dataKeys: createDataKeys({ database, clock, keys }) }
}

for (const engine of TEST_ENGINES) {
  describeAccountStore(`a vault on ${engine.name}`, 'card', async () => {
    const opened = await openTestVault(engine)
    const { clock, database } = opened
    const deps = depsOf(opened)
    return {
      accountsOf: (environment) => createVaultAccounts(deps, environment),
      clock,
      rows: () => database.reader.selectFrom('accounts').selectAll().execute(),
      markTrial: () => markTrial(database, clock),
      close: () => database.close(),
    }
  })

  describe(`Accounts with acquirers on ${engine.name}`, () => {
    let opened: TestVault
    let accounts: AccountStore
    beforeEach(async () => {
      opened = await openTestVault(engine)
      accounts = createVaultAccounts(depsOf(opened), 'production')
    })
    afterEach(() => opened.database.close())

    const moved = (columns: { id?: string; merchant_id?: string; environment?: 'sandbox' }) =>
      opened.database.transact((trx) => trx.updateTable('accounts').set(columns).execute())

    it.each([
      ['store', 'first', 'production', { merchant_id: 'store-2' }],
      ['environment', 'first', 'sandbox', { environment: 'sandbox' }],
      ['account', 'second', 'production', { id: 'second' }],
    ] as const)('do not open under another %s', async (_, id, environment, columns) => {
      await accounts.create(accountNamed('first'), [], ANA)
      await moved(columns)
      const there = createVaultAccounts(depsOf(opened), environment)
      await expect(there.find(id)).rejects.toThrow(SealError)
      expect(await there.describe(id)).toMatchObject({ label: 'Account first' })
    })

    it('are sealed by a data key of their store, and open after it was wrapped again', async () => {
      const [before, after] = [generateKeyRing(), generateKeyRing()]
      const administrationWith = (keys: KeyEncryption) =>
        createVaultAdministration({ ...opened.deps, keys })
      const accounts = administrationWith(parseKeyRing(before)).accounts('production')
      await accounts.create(accountNamed('one'), ['card'], ANA)
      await accounts.create(accountNamed('two', { merchantId: 'store-2' }), ['card'], ANA)
      const scopes = await opened.database.reader.selectFrom('data_keys').select('scope').execute()
      expect(scopes.map(({ scope }) => scope).toSorted()).toEqual([
        'provider-accounts:production:store-1',
        'provider-accounts:production:store-2',
      ])
      const both = administrationWith(parseKeyRing(`${after},${before}`))
      expect(await both.rewrapDataKeys()).toBe(2)
      const renewed = administrationWith(parseKeyRing(after))
      expect(await renewed.accounts('production').find('one')).toEqual(accountNamed('one'))
    })

    it('leave each change in the audit log, with who made it and no secret', async () => {
      await accounts.create(accountNamed('one'), ['card'], ANA)
      await accounts.create(accountNamed('two'), ['card'], ANA)
      await accounts.create(accountNamed('two'), ['card'], 'operator:eve')
      const { secrets } = accountNamed('one', {
        secrets: {
          credentials: new Secret('{"new":"s3cret"}'),
          noticeSecret: new Secret('n0tice'),
        },
      })
      await accounts.rotate('one', { secrets, certificateUntilMs: undefined }, 'operator:rui')
      const amex = { ...CARDS, brand: 'amex', fromInstallments: 2 }
      for (let twice = 0; twice < 2; twice++) {
        await accounts.order(CARDS, ['two'], 'operator:rui')
        await accounts.order(amex, ['one'], 'operator:rui')
        await accounts.disable('one', 'operator:rui')
        await accounts.rename('one', 'Site', 'operator:rui')
      }
      await accounts.order({ ...CARDS, routesDeclines: true }, [], 'operator:eve')
      await accounts.recordTest('one', { atMs: 1, failure: undefined })
      for (let twice = 0; twice < 2; twice++) await accounts.enable('one', 'start')
      const log = await opened.database.reader
        .selectFrom('audit_log')
        .select(['actor', 'action', 'record', 'outcome', 'environment', 'merchant_id'])
        .execute()
      expect(log.map((entry) => Object.values(entry).slice(0, 4).join(' ')).toSorted()).toEqual(
        [
          'operator:ana account.added one done',
          'operator:ana account.added two done',
          'operator:rui account.rotated one done',
          'operator:rui accounts.ordered card two, one',
          'operator:rui accounts.ordered card amex from 2 installments one',
          'operator:eve accounts.ordered card two, one (also after a decline)',
          'operator:rui account.disabled one done',
          'operator:rui account.renamed one Account one -> Site',
          'start account.enabled one done',
        ].toSorted(),
      )
      for (const entry of log)
        expect(entry).toMatchObject({ environment: 'production', merchant_id: STORE })
      expect(await dumpDatabase(opened.database)).not.toMatch(/s3cret|n0tice/)
    })

    it('are described to a gateway: names, brands and what is ordered, never what is sealed', async () => {
      await accounts.create(accountNamed('one'), ['card'], ANA)
      await accounts.create(accountNamed('two', { createdAtMs: 2000 }), [], ANA)
      await accounts.disable('two', ANA)
      await accounts.create(accountNamed('foreign', { merchantId: 'store-2' }), ['card'], ANA)
      await createVaultAccounts(depsOf(opened), 'sandbox').create(accountNamed('test'), [], ANA)
      const vault = createVault({
        ...opened.deps,
        installmentsOf: (_, brand) => Promise.resolve(brand === 'amex' ? 0 : 12),
      })
      const found = await vault.cardAccounts('production', STORE)
      const brands = ['elo', 'hipercard', 'diners', 'mastercard', 'visa']
      const common = { provider: 'made-up', kind: 'live', certificateUntilMs: 9000, brands }
      expect(found).toEqual([
        { ...common, id: 'one', label: 'Account one', isOrdered: true },
        {
          ...common,
          id: 'two',
          label: 'Account two',
          isOrdered: false,
          disabledAtMs: opened.clock.now(),
        },
      ])
      expect(await opened.vault.cardAccounts('production', STORE)).toMatchObject([
        { brands: ['elo', 'hipercard', 'amex', 'diners', 'mastercard', 'visa'] },
        {},
      ])
    })

    it('are found for a charge in the order that fits it, the disabled ones left out', async () => {
      for (const id of ['one', 'two', 'three'])
        await accounts.create(accountNamed(id), ['card'], ANA)
      await accounts.order({ ...CARDS, brand: 'amex' }, ['three'], ANA)
      await accounts.disable('one', ANA)
      const find = (store: object) => cardAccountsByCharge(depsOf(opened), { ...CHARGE, ...store })
      const found = (await find({}))?.({ brand: 'amex', installments: 3 })
      expect(found?.accounts.map(({ id }) => id)).toEqual(['three', 'two'])
      expect(await find({ environment: 'sandbox' })).toBeUndefined()
      expect(await find({ merchantId: 'store-2' })).toBeUndefined()
    })

    it('that do not open, or are all disabled, never count as none', async () => {
      await accounts.create(accountNamed('one'), ['card'], ANA)
      const connectionOf = () => Promise.reject(new Error('nobody connects here'))
      const connected = { ...opened.deps, connectionOf }
      const vault = createVault(connected)
      const order = orderFor(await opened.deposit(), { merchantId: STORE })
      await opened.database.transact((trx) =>
        trx.updateTable('accounts').set({ sealed: 'lost' }).execute(),
      )
      const refused = (reason: string) => ({ kind: 'refused', reason })
      expect(await vault.authorize(order)).toEqual(refused('acquirer_unavailable'))
      expect(opened.log.lines).toEqual([expect.stringContaining('"account":"one"')])
      await accounts.disable('one', ANA)
      expect(await vault.authorize(order)).toEqual(refused('no_account'))
      expect(opened.acquirer.requests).toEqual([])
    })

    it('whose key is lost get new credentials', async () => {
      await accounts.create(accountNamed('one'), ['card'], ANA)
      await opened.database.transact((trx) => trx.deleteFrom('data_keys').execute())
      const fresh = createVaultAccounts(depsOf(opened), 'production')
      await expect(fresh.find('one')).rejects.toThrow(SealError)
      const { secrets } = accountNamed('one')
      await fresh.rotate('one', { secrets, certificateUntilMs: undefined }, ANA)
      expect((await fresh.find('one'))?.secrets).toEqual(secrets)
    })
  })
}
