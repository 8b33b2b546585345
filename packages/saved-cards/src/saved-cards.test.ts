import type { StoredCard, StoredCards } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestGateway, openTestGateway } from '../../gateway/src/gateway.fixture.js'
import {
  sendSigned,
  signedByLibrary,
} from '../../gateway/src/api/request/message-signature.fixture.js'
import { createSavedCards } from './index.js'

const OTHER_STORE = { ...MERCHANT, id: 'store-2' }
const CODE = 'Zk3vT8QwLr5yXn2bJc7dHf9gKm4pRs6t'
const CARD: StoredCard = {
  code: CODE,
  brand: 'visa',
  lastFour: '1111',
  expirationDate: '2030-12',
  createdAtMs: Date.UTC(2026, 0, 1),
  lastUsedAtMs: Date.UTC(2026, 5, 1),
  isActive: true,
}

/** The saved card of one store, in memory. */
function fakeCards(): StoredCards & { cards: StoredCard[]; isDown: boolean; losesAnswer: boolean } {
  const fake = {
    cards: [CARD],
    isDown: false,
    losesAnswer: false,
    answer: <Value>(value: Value) =>
      fake.isDown ? Promise.reject(new Error('vault is down')) : Promise.resolve(value),
    storedCardsOf: ({ merchantId, payerEmail }: { merchantId: string; payerEmail: string }) =>
      fake.answer(
        merchantId === MERCHANT.id && payerEmail === 'maria@example.com' ? fake.cards : [],
      ),
    findStoredCard: ({ merchantId, code }: { merchantId: string; code: string }) =>
      fake.answer(
        merchantId === MERCHANT.id ? fake.cards.find((one) => one.code === code) : undefined,
      ),
    deleteSavedCard(_: string, merchantId: string, code: string) {
      const isDeleted = merchantId === MERCHANT.id && fake.cards.some((one) => one.code === code)
      if (isDeleted) fake.cards = fake.cards.filter((one) => one.code !== code)
      // The vault answers false when the first attempt's answer was lost.
      return fake.answer(isDeleted && !fake.losesAnswer)
    },
  }
  return fake
}

describe('saved cards by the API', () => {
  let test: TestGateway
  const vault = fakeCards()
  const deleted: string[] = []
  const cardDeleted = (storeId: string, code: string): Promise<void> => {
    deleted.push(`${storeId} ${code}`)
    return Promise.resolve()
  }
  beforeAll(async () => {
    test = await openTestGateway(TEST_SQLITE, {
      roomsOn: (parts) => [
        createSavedCards({ ...parts, cards: vault, cardDeleted }).savedCardRoutes,
      ],
    })
    await test.gateway.saveMerchant(OTHER_STORE)
  })
  beforeEach(() => {
    vault.cards = [CARD]
    vault.isDown = false
    vault.losesAnswer = false
  })
  afterAll(() => test.close())

  const SHOWN = {
    code: CODE,
    brand: 'visa',
    'last-four': '1111',
    'expiration-date': '2030-12',
    'date-created': '2025-12-31T21:00:00.000-03:00',
    'date-last-used': '2026-05-31T21:00:00.000-03:00',
    chargeable: true,
  }
  const find = (code = CODE, merchant = MERCHANT) =>
    test.send('GET', `/saved-cards/${code}`, { merchant })
  const search = (body: object, merchant = MERCHANT) =>
    test.send('POST', '/saved-cards/searches', { body, merchant })
  const NOT_FOUND = { status: 404, codes: [90604] }

  it('are found by their payer and by their code, by their own store', async () => {
    const payer = { 'payer-email': 'maria@example.com' }
    expect((await search(payer)).json).toEqual({ 'saved-cards': [SHOWN] })
    expect((await search({ 'payer-email': 'ana@example.com' })).json).toEqual({ 'saved-cards': [] })
    expect((await search(payer, OTHER_STORE)).json).toEqual({ 'saved-cards': [] })
    expect((await find()).json).toEqual({ 'saved-card': SHOWN })
    expect(await find(CODE, OTHER_STORE)).toMatchObject(NOT_FOUND)
    for (const code of ['1', '%00', 'x'.repeat(32), '4111111111111111'])
      expect(await find(code)).toMatchObject(NOT_FOUND)
  })

  it.each([
    ['not active', { isActive: false }],
    ['expired', { expirationDate: '2026-10' }],
  ])('are not chargeable when they are %s', async (_, over) => {
    vault.cards = [{ ...CARD, ...over }]
    expect((await find()).json).toMatchObject({ 'saved-card': { chargeable: false } })
  })

  it('expire at the end of their month', async () => {
    vault.cards = [{ ...CARD, expirationDate: '2026-11' }]
    expect((await find()).json).toMatchObject({ 'saved-card': { chargeable: true } })
  })

  it('are deleted for good, once', async () => {
    const target = `/saved-cards/${CODE}/deletion`
    const remove = () => test.send('POST', target, { body: {} })
    expect((await remove()).json).toEqual({ 'saved-card': SHOWN })
    expect(await remove()).toMatchObject(NOT_FOUND)
    expect(await find()).toMatchObject(NOT_FOUND)
  })

  it('are deleted where the vault’s first answer was lost', async () => {
    vault.losesAnswer = true
    expect(await test.send('POST', `/saved-cards/${CODE}/deletion`, { body: {} })).toMatchObject({
      status: 200,
    })
  })

  describe('DELETE', () => {
    const target = `/saved-cards/${CODE}`

    it('wants a signature that covers the method', async () => {
      expect(await test.send('DELETE', target)).toMatchObject({ status: 401, codes: [90018] })
      expect(vault.cards).toHaveLength(1)
    })

    it('is not done with the signature of a look-up', async () => {
      const headers = await signedByLibrary('GET', target)
      expect(await sendSigned(test, ['DELETE', target], { headers })).toMatchObject({ status: 401 })
      expect(vault.cards).toHaveLength(1)
    })

    it('deletes with its own', async () => {
      const headers = await signedByLibrary('DELETE', target)
      expect(await sendSigned(test, ['DELETE', target], { headers })).toMatchObject({
        status: 200,
        json: { 'saved-card': SHOWN },
      })
      expect(vault.cards).toEqual([])
    })
  })

  it('say nothing while the vault does not answer', async () => {
    vault.isDown = true
    for (const answer of [
      await find(),
      await search({ 'payer-email': 'maria@example.com' }),
      await test.send('POST', `/saved-cards/${CODE}/deletion`, { body: {} }),
    ])
      expect(answer).toMatchObject({ status: 503, codes: [90006] })
  })

  it.each([
    ['no payer', {}],
    ['a payer that is none', { 'payer-email': 'maria' }],
    ['a number', { 'payer-email': 1 }],
  ])('refuse a search with %s', async (_, body) => {
    expect(await search(body)).toMatchObject({
      status: 400,
      json: { errors: [{ code: 90603, property: 'payer-email' }] },
    })
  })
})
