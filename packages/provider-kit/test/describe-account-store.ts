import { type Environment, Secret } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountRow } from '../src/account/account-tables.js'
import type { AccountStore } from '../src/account/account-store-sql.js'
import type { AccountActor, AccountMethod, ProviderAccount } from '../src/account/account.js'

export const STORE = 'store-1'
export const OTHER_STORE = 'store-2'
export const ANA: AccountActor = 'operator:ana'

/** A database with the accounts of both stores. */
export interface OpenedAccounts {
  accountsOf(environment: Environment): AccountStore
  readonly clock: { nowMs: number }
  rows(): Promise<readonly AccountRow[]>
  markTrial(): Promise<string | undefined>
  close(): Promise<void>
}

export function accountNamed(id: string, changes: Partial<ProviderAccount> = {}): ProviderAccount {
  return {
    id,
    merchantId: STORE,
    provider: 'made-up',
    kind: 'live',
    label: `Account ${id}`,
    settings: { profile: 'north', key: 'loja@example.com' },
    secrets: {
      credentials: new Secret('{"clientSecret":"s3cret of the account"}'),
      noticeSecret: new Secret('n0tice'),
    },
    certificateUntilMs: 9000,
    lastTest: undefined,
    disabledAtMs: undefined,
    createdAtMs: 1000,
    ...changes,
  }
}

const withoutSecrets = (account: ProviderAccount) => ({ ...account, secrets: undefined })

/** The promises of every store of accounts. */
export function describeAccountStore(
  keeper: string,
  method: AccountMethod,
  open: () => Promise<OpenedAccounts>,
): void {
  const route = { merchantId: STORE, method }

  describe(`Accounts with providers in ${keeper}`, () => {
    let opened: OpenedAccounts
    let accounts: AccountStore
    beforeEach(async () => {
      opened = await open()
      accounts = opened.accountsOf('production')
    })
    afterEach(() => opened.close())

    const add = async (...ids: readonly string[]) => {
      for (const id of ids) await accounts.create(accountNamed(id), [method], ANA)
    }

    it('come back as they were added, of one store or of all', async () => {
      const [first, foreign] = [
        accountNamed('first', { lastTest: { atMs: 5, failure: 'no token' } }),
        accountNamed('foreign', { merchantId: OTHER_STORE, certificateUntilMs: undefined }),
      ]
      expect(await accounts.create(first, [method], ANA)).toBe(true)
      expect(await accounts.create(foreign, [method], ANA)).toBe(true)
      expect(await accounts.find('first')).toEqual(first)
      expect(await accounts.find('nobody')).toBeUndefined()
      expect(await accounts.list()).toEqual([first, foreign].map(withoutSecrets))
      expect(await accounts.list(OTHER_STORE)).toEqual([withoutSecrets(foreign)])
      expect(await accounts.describe('first')).toEqual(withoutSecrets(first))
      expect(await accounts.describe('nobody')).toBeUndefined()
    })

    it('keep no secret in the clear', async () => {
      await add('first')
      expect(JSON.stringify(await opened.rows())).not.toMatch(/s3cret|n0tice/)
    })

    it('are refused under an id that is taken, and keep the first', async () => {
      await add('first')
      const again = accountNamed('first', { label: 'Another' })
      expect(await accounts.create(again, [method], ANA)).toBe(false)
      expect(await opened.accountsOf('sandbox').create(again, [method], ANA)).toBe(false)
      expect(await accounts.find('first')).toEqual(accountNamed('first'))
      expect(await accounts.route(route)).toEqual(['first'])
    })

    it('are only simulators’ in a database that is marked as a trial', async () => {
      await accounts.create(accountNamed('played', { kind: 'simulator' }), [method], ANA)
      expect(await accounts.isTrial()).toBe(false)
      expect(await opened.markTrial()).toBeUndefined()
      expect(await accounts.isTrial()).toBe(true)
      for (const kind of ['live', 'test'] as const)
        await expect(
          accounts.create(accountNamed(kind, { kind }), [method], ANA),
        ).rejects.toMatchObject({ name: 'TrialDatabaseError' })
      await accounts.create(accountNamed('another', { kind: 'simulator' }), [method], ANA)
      expect(await accounts.route(route)).toEqual(['played', 'another'])
      expect(await opened.markTrial()).toBeUndefined()
    })

    it('keep their database from being marked as a trial, in either environment', async () => {
      await opened.accountsOf('sandbox').create(accountNamed('first'), [method], ANA)
      expect(await opened.markTrial()).toBe('first')
      expect(await accounts.isTrial()).toBe(false)
    })

    it('are of one environment only', async () => {
      await add('first')
      const sandbox = opened.accountsOf('sandbox')
      const rotation = accountNamed('first', { certificateUntilMs: 1 })
      expect(await sandbox.find('first')).toBeUndefined()
      expect(await sandbox.list()).toEqual([])
      expect(await sandbox.enabledRoute(route)).toEqual([])
      expect(await sandbox.order(route, ['first'], ANA)).toBeUndefined()
      expect(await sandbox.disable('first', ANA)).toBe(false)
      expect(await sandbox.rename('first', 'Other', ANA)).toBe(false)
      expect(await sandbox.rotate('first', rotation, ANA)).toBe(false)
      expect(await sandbox.recordTest('first', { atMs: 1, failure: undefined })).toBe(false)
      expect(await accounts.find('first')).toEqual(accountNamed('first'))
    })

    it('are asked in the order that the store has given them', async () => {
      await add('one', 'two', 'three')
      expect(await accounts.route(route)).toEqual(['one', 'two', 'three'])
      const order = ['three', 'one', 'two']
      expect(await accounts.order(route, ['three'], ANA)).toEqual(order)
      expect(await accounts.route(route)).toEqual(order)
      expect(await accounts.order(route, ['nobody'], ANA)).toBeUndefined()
      const foreign = { ...route, merchantId: OTHER_STORE }
      expect(await accounts.order(foreign, ['one'], ANA)).toBeUndefined()
    })

    it('serve a further method once they are named for it, and no longer than wanted', async () => {
      await add('one', 'two')
      const further = { ...route, method: method === 'pix' ? 'boleto' : 'pix' } as const
      expect(await accounts.order(further, ['two'], ANA)).toBeUndefined()
      const added = ['two', 'foreign', 'nobody']
      await accounts.create(accountNamed('foreign', { merchantId: OTHER_STORE }), [method], ANA)
      expect(await accounts.order({ ...further, added }, ['foreign'], ANA)).toBeUndefined()
      expect(await accounts.order({ ...further, added }, ['two'], ANA)).toEqual(['two'])
      expect(await accounts.order({ ...further, added: ['one'] }, ['one'], ANA)).toEqual([
        'one',
        'two',
      ])
      expect(await accounts.order({ ...further, dropped: 'nobody' }, [], ANA)).toBeUndefined()
      expect(await accounts.order({ ...further, dropped: 'one' }, [], ANA)).toEqual(['two'])
      expect(await accounts.order({ ...further, dropped: 'two' }, [], ANA)).toEqual([])
      expect(await accounts.enabledRoute(further)).toEqual([])
      expect(await accounts.route(route)).toEqual(['one', 'two'])
    })

    it('keep all places when two are added and ordered at the same moment', async () => {
      await add('one')
      await Promise.all([add('two'), add('three'), accounts.order(route, ['one'], ANA)])
      expect((await accounts.route(route)).toSorted()).toEqual(['one', 'three', 'two'])
    })

    it('take new charges only while they are enabled', async () => {
      expect(await accounts.enabledRoute(route)).toEqual([])
      await add('one', 'two')
      expect(await accounts.enabledRoute(route)).toEqual(['one', 'two'])
      expect(await accounts.firstEnabled(route)).toBe('one')
      opened.clock.nowMs = 7000
      expect(await accounts.disable('one', ANA)).toBe(true)
      opened.clock.nowMs = 8000
      expect(await accounts.disable('one', ANA)).toBe(true)
      expect((await accounts.find('one'))?.disabledAtMs).toBe(7000)
      expect(await accounts.enabledRoute(route)).toEqual(['two'])
      await accounts.disable('two', ANA)
      expect(await accounts.enabledRoute(route)).toEqual([])
      expect(await accounts.enable('one', ANA)).toBe(true)
      expect(await accounts.enabledRoute(route)).toEqual(['one'])
      expect(await accounts.disable('nobody', ANA)).toBe(false)
    })

    it('are asked in the closest order that fits a charge, and then in the general one', async () => {
      await add('one', 'two', 'three')
      const amex = { ...route, brand: 'amex' }
      expect(await accounts.order({ ...route, fromInstallments: 2 }, ['two'], ANA)).toEqual([
        'two',
        'one',
        'three',
      ])
      await accounts.order({ ...route, fromInstallments: 7 }, ['one'], ANA)
      await accounts.order(amex, ['three', 'three'], ANA)
      await accounts.order({ ...amex, fromInstallments: 2 }, ['two'], ANA)
      const asked = async (charge: { brand?: string; installments?: number }) =>
        (await accounts.enabledRoute({ ...route, ...charge })).join(' ')
      expect(await asked({})).toBe('one two three')
      expect(await asked({ brand: 'visa', installments: 1 })).toBe('one two three')
      expect(await asked({ brand: 'visa', installments: 6 })).toBe('two one three')
      expect(await asked({ brand: 'visa', installments: 7 })).toBe('one two three')
      expect(await asked({ brand: 'amex', installments: 1 })).toBe('three one two')
      expect(await asked({ brand: 'amex', installments: 12 })).toBe('two three one')
      await accounts.disable('two', ANA)
      expect(await asked({ brand: 'amex', installments: 12 })).toBe('three one')
    })

    it('lose a special order without named accounts, and no place with it', async () => {
      await add('one', 'two')
      const amex = { ...route, brand: 'amex' }
      expect(await accounts.order(amex, ['two'], ANA)).toEqual(['two', 'one'])
      expect(await accounts.orders(STORE)).toEqual([
        {
          ...route,
          brand: undefined,
          fromInstallments: undefined,
          ids: ['one', 'two'],
          routesDeclines: false,
        },
        { ...amex, fromInstallments: undefined, ids: ['two'], routesDeclines: false },
      ])
      expect(await accounts.order(amex, [], ANA)).toEqual(['one', 'two'])
      expect(await accounts.order(route, [], ANA)).toEqual(['one', 'two'])
      expect(await accounts.orders(STORE)).toHaveLength(1)
      expect(await accounts.orders(OTHER_STORE)).toEqual([])
    })

    it('are asked after declines by the closest order’s setting, until that changes', async () => {
      await add('one', 'two')
      const amex = { ...route, brand: 'amex' }
      const routed = async (charge: { brand?: string }) => {
        const found = (await accounts.byCharge(route))?.(charge)
        return [...(found?.accounts ?? []).map(({ id }) => id), found?.routesDeclines].join(' ')
      }
      expect(await routed({})).toBe('one two false')
      expect(await accounts.order({ ...route, routesDeclines: true }, [], ANA)).toEqual([
        'one',
        'two',
      ])
      await accounts.order(route, ['two'], ANA)
      await add('three')
      await accounts.order(amex, ['one'], ANA)
      expect(await routed({})).toBe('two one three true')
      expect(await routed({ brand: 'amex' })).toBe('one two three false')
      await accounts.order({ ...amex, routesDeclines: true }, [], ANA)
      await accounts.order({ ...route, routesDeclines: false }, ['one'], ANA)
      expect(await routed({ brand: 'amex' })).toBe('one two three true')
      expect(await routed({ brand: 'visa' })).toBe('one two three false')
      await accounts.disable('one', ANA)
      expect(await routed({})).toBe('two three false')
    })

    it('change their credentials and stay the same account', async () => {
      await add('one')
      const secrets = { credentials: new Secret('{"new":1}'), noticeSecret: new Secret('other') }
      const rotation = { secrets, certificateUntilMs: undefined }
      expect(await accounts.rotate('one', rotation, ANA)).toBe(true)
      const found = await accounts.find('one')
      expect(found).toEqual(accountNamed('one', { secrets, certificateUntilMs: undefined }))
      expect(found?.secrets.credentials.reveal()).toBe('{"new":1}')
      expect(await accounts.rotate('nobody', rotation, ANA)).toBe(false)
    })

    it('are called something else, and change in nothing more', async () => {
      await add('one')
      expect(await accounts.rename('one', 'Adyen, site', ANA)).toBe(true)
      expect(await accounts.find('one')).toEqual(accountNamed('one', { label: 'Adyen, site' }))
      expect(await accounts.rename('nobody', 'Adyen, site', ANA)).toBe(false)
    })

    it('have the result of their last test', async () => {
      await add('one')
      const failed = { atMs: 3000, failure: 'the credentials were refused' }
      await accounts.recordTest('one', failed)
      expect((await accounts.find('one'))?.lastTest).toEqual(failed)
      await accounts.recordTest('one', { atMs: 4000, failure: undefined })
      expect((await accounts.find('one'))?.lastTest).toEqual({ atMs: 4000, failure: undefined })
    })
  })
}
