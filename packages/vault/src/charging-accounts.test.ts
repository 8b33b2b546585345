import { Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Acquirer } from '@cofre/provider-kit/card'
import { AuthorizedPayment } from './capture/authorized.fixture.js'
import type { OrderToRoute } from './authorization/charging.js'
import { type ChargingAccounts, createChargingAccounts } from './charging-accounts.js'
import { createDataKeys } from './data-key/data-key-service.js'
import { testNotices } from './notice/notices.fixture.js'
import { ACCOUNT, TestBooks, addAccount, readableAcquirer } from './refund/charged.fixture.js'
import { createVaultAdministration } from './vault-administration.js'
import { type TestVault, openTestVault } from './vault.fixture.js'

const ANA = 'operator:ana'
const ORDER = {
  environment: 'production',
  merchantId: 'store-1',
  brand: 'visa',
  installments: 1,
} as const

async function accountsFor(accounts: ChargingAccounts, order: Partial<OrderToRoute> = {}) {
  const find = await accounts.accountsOf(ORDER)
  return await find({ ...ORDER, ...order })
}

for (const engine of TEST_ENGINES)
  describe(`The accounts that charge, on ${engine.name}`, () => {
    let test: TestVault
    let unsealed: number
    beforeEach(async () => {
      test = await openTestVault(engine)
      unsealed = 0
      await addAccount(test.deps)
    })
    afterEach(() => test.database.close())

    /** Connects each account to an acquirer with the name in its credentials. */
    const connected = () => {
      const { database, clock, deps } = test
      const dataKeys = createDataKeys({ database, clock, keys: deps.keys })
      const counted: typeof dataKeys = {
        ...dataKeys,
        thatSealed(text) {
          unsealed += 1
          return dataKeys.thatSealed(text)
        },
      }
      const acquirers = new Map<string, Acquirer>()
      return createChargingAccounts({ database, clock, dataKeys: counted }, ({ secrets }) => {
        const name = secrets.credentials.reveal()
        const acquirer = acquirers.get(name) ?? readableAcquirer(new TestBooks())
        acquirers.set(name, acquirer)
        return Promise.resolve({ acquirer, notices: testNotices })
      })
    }
    const administered = () => createVaultAdministration(test.deps).accounts('production')

    it('are unsealed once, however often they are asked and called', async () => {
      const accounts = connected()
      const acquirer = await accounts.acquirerOf(ACCOUNT)
      for (let i = 0; i < 3; i++) {
        expect(await accounts.acquirerOf(ACCOUNT)).toBe(acquirer)
        await accounts.noticesOf(ACCOUNT)
        await accounts.noticeSecretOf(ACCOUNT)
        const route = await accountsFor(accounts)
        expect(await route?.accounts[0]?.acquirer()).toBe(acquirer)
      }
      expect(unsealed).toBe(1)
      await expect(accounts.acquirerOf('nobody')).rejects.toThrow('there is no account nobody')
      expect(await accounts.noticeSecretOf('nobody')).toBeUndefined()
    })

    it('use new credentials at once, and take no charge once disabled', async () => {
      const accounts = connected()
      const before = await accounts.acquirerOf(ACCOUNT)
      const found = await accountsFor(accounts)
      const secrets = {
        credentials: new Secret('{"new":1}'),
        noticeSecret: new Secret('BBBBBBBBBBBBBBBBBBBBBB'),
      }
      await administered().rotate(ACCOUNT, { secrets, certificateUntilMs: undefined }, ANA)
      expect(await accounts.acquirerOf(ACCOUNT)).not.toBe(before)
      expect(await found?.accounts[0]?.acquirer()).toBe(before)
      const foundLater = await accountsFor(accounts)
      expect(foundLater).toMatchObject({ accounts: [{ id: ACCOUNT }] })
      expect(await foundLater?.accounts[0]?.acquirer()).not.toBe(before)
      expect(await accounts.noticeSecretOf(ACCOUNT)).toEqual(secrets.noticeSecret)
      await administered().disable(ACCOUNT, ANA)
      expect(await accountsFor(accounts)).toMatchObject({ accounts: [] })
      await accounts.acquirerOf(ACCOUNT)
    })

    it('leave out a provider that doesn’t charge the brand’s cards, or not in that number of installments', async () => {
      const { database, clock, deps } = test
      const dataKeys = createDataKeys({ database, clock, keys: deps.keys })
      const limits = new Map([
        ['hipercard', 0],
        ['diners', 1],
      ])
      const accounts = createChargingAccounts(
        { database, clock, dataKeys },
        () => Promise.reject(new Error('nobody connects here')),
        { installmentsOf: (_, brand) => Promise.resolve(limits.get(brand)) },
      )
      const idsFor = async (brand: string, installments = 1) =>
        (await accountsFor(accounts, { brand, installments }))?.accounts.map(({ id }) => id)
      expect(await idsFor('visa', 12)).toEqual([ACCOUNT])
      expect(await idsFor('hipercard')).toEqual([])
      expect([await idsFor('diners'), await idsFor('diners', 2)]).toEqual([[ACCOUNT], []])
      const mostOf = (brand: string, merchantId: string = ORDER.merchantId) =>
        accounts.installmentsFor({ environment: 'production', merchantId, brand })
      expect(await mostOf('hipercard')).toBe(0)
      expect(await mostOf('diners')).toBe(1)
      expect(await mostOf('visa')).toBeUndefined()
      expect(await mostOf('hipercard', 'store-without-accounts')).toBeUndefined()
    })

    it('are asked as far as the contract of each allows', async () => {
      await addAccount(test.deps, { id: 'conta-2', settings: { installmentsMax: '18' } })
      const { database, clock, deps } = test
      const dataKeys = createDataKeys({ database, clock, keys: deps.keys })
      const accounts = createChargingAccounts(
        { database, clock, dataKeys },
        () => Promise.reject(new Error('nobody connects here')),
        {
          installmentsOf: ({ settings }) => Promise.resolve(settings.includes('18') ? 18 : 12),
        },
      )
      const idsOf = async (installments: number) =>
        (await accountsFor(accounts, { installments }))?.accounts.map(({ id }) => id)
      expect([await idsOf(12), await idsOf(18)]).toEqual([[ACCOUNT, 'conta-2'], ['conta-2']])
      const { environment, merchantId, brand } = ORDER
      expect(await accounts.installmentsFor({ environment, merchantId, brand })).toBe(18)
    })

    it.each([
      ['that captures later', 7, true, 7],
      ['whose provider captures at once', undefined, true, undefined],
      ['whose acquirer captures at once', 7, false, undefined],
    ] as const)(
      'have days to capture only if later and at an account %s',
      async (_, days, isAble, found) => {
        const { database, clock, deps } = test
        const dataKeys = createDataKeys({ database, clock, keys: deps.keys })
        const { capture, ...others } = new AuthorizedPayment().acquirer
        const acquirer = isAble && capture !== undefined ? { ...others, capture } : others
        const accounts = createChargingAccounts(
          { database, clock, dataKeys },
          () => Promise.resolve({ acquirer, notices: testNotices }),
          { captureDaysOf: () => Promise.resolve(days) },
        )
        const daysFor = async (isCapturedLater?: true) =>
          (await accountsFor(accounts, { isCapturedLater }))?.accounts.map(
            ({ captureDays }) => captureDays,
          )
        expect([await daysFor(true), await daysFor()]).toEqual([[found], [undefined]])
      },
    )

    it('never open by what was sealed for another', async () => {
      const accounts = connected()
      await accounts.acquirerOf(ACCOUNT)
      await test.database.transact((trx) =>
        trx.updateTable('accounts').set({ merchant_id: 'store-2' }).execute(),
      )
      await expect(accounts.acquirerOf(ACCOUNT)).rejects.toThrow()
    })
  })
