import type { AccountDescription } from '@cofre/provider-kit/account'
import type { CardAccount } from '@cofre/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import { createShownAccounts } from './shown-accounts.js'

const BANK: AccountDescription = {
  id: 'efi-1',
  merchantId: 'store-1',
  provider: 'pix-api',
  kind: 'live',
  label: 'Main bank',
  settings: { profile: 'efi', pixKey: 'loja@example.com' },
  certificateUntilMs: 9000,
  lastTest: undefined,
  disabledAtMs: undefined,
  createdAtMs: 1,
}
const CARD: CardAccount = {
  id: 'adyen-1',
  provider: 'adyen',
  kind: 'live',
  label: 'Adyen, site',
  isOrdered: true,
  brands: ['visa'],
}
const COMPANIES = [
  {
    name: 'pix-api',
    profiles: [
      { name: 'bb', company: 'Banco do Brasil' },
      { name: 'efi', company: 'Efí' },
    ],
  },
  { name: 'adyen', profiles: [{ name: 'adyen', company: 'Adyen' }] },
]

describe('the accounts of a store that the console shows', () => {
  let nowMs = 0
  let asked: string[] = []
  let answer: () => Promise<readonly CardAccount[]>
  beforeEach(() => {
    nowMs = 1000
    asked = []
    answer = () => Promise.resolve([CARD])
  })
  const open = () =>
    createShownAccounts({
      environment: 'production',
      accounts: {
        list: () => Promise.resolve([BANK]),
        orders: () =>
          Promise.resolve([
            { merchantId: 'store-1', method: 'pix', ids: ['efi-1'], routesDeclines: false },
            { merchantId: 'store-1', method: 'boleto', ids: ['other'], routesDeclines: false },
          ]),
      },
      vault: {
        cardAccounts(environment, storeId) {
          asked.push(`${environment} ${storeId}`)
          return answer()
        },
      },
      clock: { now: () => nowMs },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      companies: () => Promise.resolve(COMPANIES),
    })

  it('are those of banks and of the vault, with their companies and without their settings', async () => {
    const found = await open().list('store-1')
    expect(found).toMatchObject([
      { id: 'efi-1', company: 'Efí', keeper: 'gateway', methods: ['pix'], brands: [] },
      { id: 'adyen-1', company: 'Adyen', keeper: 'vault', methods: ['card'], brands: ['visa'] },
    ])
    expect(JSON.stringify(found)).not.toMatch(/loja@example|settings|isOrdered/)
    expect(asked).toEqual(['production store-1'])
  })

  it('follow the vault within seconds, and stay while it does not answer', async () => {
    const accounts = open()
    const labels = async () => (await accounts.list('store-1')).map(({ label }) => label)
    expect(await labels()).toEqual(['Main bank', 'Adyen, site'])
    answer = () => Promise.resolve([{ ...CARD, label: 'Renamed' }])
    expect(await labels()).toEqual(['Main bank', 'Adyen, site'])
    nowMs += 15_000
    expect(await labels()).toEqual(['Main bank', 'Renamed'])
    nowMs += 15_000
    answer = () => Promise.reject(new Error('the vault is away'))
    expect(await labels()).toEqual(['Main bank', 'Renamed'])
    expect(await labels()).toEqual(['Main bank', 'Renamed'])
    expect(asked).toHaveLength(3)
  })

  it('are those of banks alone where the vault has never answered', async () => {
    answer = () => Promise.reject(new Error('the vault is away'))
    expect((await open().list('store-1')).map(({ id }) => id)).toEqual(['efi-1'])
  })
})
