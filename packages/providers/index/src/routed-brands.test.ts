import { type CardDetails, Secret } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Vault, createVault } from '@cofre/vault'
import { testNotices } from '../../../vault/src/notice/notices.fixture.js'
import {
  TestBooks,
  addAccount,
  readableAcquirer,
} from '../../../vault/src/refund/charged.fixture.js'
import { type TestVault, openTestVault, orderFor } from '../../../vault/src/vault.fixture.js'
import { loadAcquirers } from './index.js'

const HIPERCARD: CardDetails = { number: '6062828888666688', cvv: '123', month: '08', year: '2031' }

describe('A card of a brand', () => {
  let test: TestVault
  let vault: Vault
  beforeEach(async () => {
    test = await openTestVault(TEST_SQLITE)
    const acquirer = readableAcquirer(new TestBooks())
    vault = createVault({
      ...test.deps,
      connectionOf: () => Promise.resolve({ acquirer, notices: testNotices }),
      installmentsOf: async ({ provider: name }, brand) => {
        const provider = (await loadAcquirers()).find((one) => one.name === name)
        return provider?.installmentsOf(brand, {})
      },
    })
    await addAccount(test.deps, { id: 'at-cielo', provider: 'cielo' })
  })
  afterEach(() => test.database.close())

  const pay = (card: CardDetails, installments = 1) => {
    const source = { kind: 'raw', card: new Secret(card) } as const
    return vault.authorize(orderFor('', { source, installments, environment: 'production' }))
  }
  const installmentsFor = (brand: string) =>
    vault.installmentsFor({ environment: 'production', merchantId: 'store-1', brand })

  it('is charged by no account at Cielo since 30 June 2025, but by the store’s next one', async () => {
    await addAccount(test.deps, { id: 'at-adyen', provider: 'adyen' })
    expect(await pay(HIPERCARD)).toMatchObject({ charge: { accountId: 'at-adyen' } })
    expect(await installmentsFor('hipercard')).toBe(12)
  })

  it('is refused, and shown by no look-up, where the store has Cielo alone', async () => {
    expect(await pay(HIPERCARD)).toEqual({ kind: 'refused', reason: 'no_account' })
    expect(await installmentsFor('hipercard')).toBe(0)
  })

  it('is an exception: Cielo charges the other brands', async () => {
    expect(await pay({ ...HIPERCARD, number: '6362970000457013' })).toMatchObject({
      charge: { accountId: 'at-cielo' },
    })
    expect(await installmentsFor('elo')).toBe(12)
  })

  it('has one installment at Cielo if it is of Diners: the store’s next account allows more', async () => {
    const diners = { ...HIPERCARD, number: '36490102462661' }
    expect(await pay(diners)).toMatchObject({ charge: { accountId: 'at-cielo' } })
    expect(await pay(diners, 2)).toEqual({ kind: 'refused', reason: 'no_account' })
    expect(await installmentsFor('diners')).toBe(1)
    await addAccount(test.deps, { id: 'at-adyen', provider: 'adyen' })
    expect(await pay(diners, 2)).toMatchObject({ charge: { accountId: 'at-adyen' } })
    expect(await installmentsFor('diners')).toBe(12)
  })
})
