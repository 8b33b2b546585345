import { type CardDetails, Secret } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Vault, createVault } from '@cofre/vault'
import { testNotices } from '../../vault/src/notice/notices.fixture.js'
import { TestBooks, addAccount, readableAcquirer } from '../../vault/src/refund/charged.fixture.js'
import { type TestVault, openTestVault, orderFor } from '../../vault/src/vault.fixture.js'
import { ACQUIRER_PROVIDERS } from './index.js'

const HIPERCARD: CardDetails = { number: '6062828888666688', cvv: '123', month: '08', year: '2031' }

describe('A card of Hipercard', () => {
  let test: TestVault
  let vault: Vault
  beforeEach(async () => {
    test = await openTestVault(TEST_SQLITE)
    const acquirer = readableAcquirer(new TestBooks())
    vault = createVault({
      ...test.deps,
      connectionOf: () => Promise.resolve({ acquirer, notices: testNotices }),
      installmentsOf: (name, brand) => {
        const provider = ACQUIRER_PROVIDERS.find((one) => one.name === name)
        return Promise.resolve(provider?.installmentsOf(brand))
      },
    })
    await addAccount(test.deps, { id: 'at-cielo', provider: 'cielo' })
  })
  afterEach(() => test.database.close())

  const pay = (card: CardDetails) => {
    const source = { kind: 'raw', card: new Secret(card) } as const
    return vault.authorize(orderFor('', { source, environment: 'production' }))
  }
  const installmentsFor = (brand: string) =>
    vault.installmentsFor({ environment: 'production', merchantId: 'store-1', brand })

  it('is charged by no account at Cielo since 30 June 2025, but by the store’s next one', async () => {
    await addAccount(test.deps, { id: 'at-adyen', provider: 'adyen' })
    expect(await pay(HIPERCARD)).toMatchObject({ charge: { accountId: 'at-adyen' } })
    expect(await installmentsFor('hipercard')).toBeUndefined()
  })

  it('is refused, and shown by no look-up, where the store has Cielo alone', async () => {
    expect(await pay(HIPERCARD)).toEqual({ kind: 'refused', reason: 'no_account' })
    expect(await installmentsFor('hipercard')).toBe(0)
  })

  it('is alone in that: Cielo charges the other brands', async () => {
    expect(await pay({ ...HIPERCARD, number: '6362970000457013' })).toMatchObject({
      charge: { accountId: 'at-cielo' },
    })
    expect(await installmentsFor('elo')).toBeUndefined()
  })
})
