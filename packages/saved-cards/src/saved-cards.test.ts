import type {
  CardsOfPayer,
  CardCheck,
  CardCheckAnswer,
  CardChecks,
  SavedCardListBody,
  StoredCard,
  StoredCards,
} from '@cofre/contracts'
import { TEST_ENGINES, TEST_SQLITE } from '@cofre/sql/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  openTestGateway,
} from '../../gateway/src/gateway.fixture.js'
import {
  sendSigned,
  signedByLibrary,
} from '../../gateway/src/api/request/message-signature.fixture.js'
import { createPayerGuard } from '../../gateway/src/payment/payer-guard-service.js'
import { createSavedCards } from './index.js'

const OTHER_STORE = { ...MERCHANT, id: 'store-2' }
const CODE = 'Zk3vT8QwLr5yXn2bJc7dHf9gKm4pRs6t'
const NEW_CARD: StoredCard = {
  code: CODE,
  brand: 'visa',
  lastFour: '1111',
  expirationDate: '2030-12',
  createdAtMs: Date.UTC(2026, 0, 1),
  isActive: true,
}
const CARD: StoredCard = { ...NEW_CARD, lastUsedAtMs: Date.UTC(2026, 5, 1) }

const CHECKED = {
  kind: 'answered',
  checkCode: 7,
  card: { brand: 'visa', bin: '41111111', lastFour: '1111' },
  atMs: NOW_MS,
} as const
const APPROVED: CardCheckAnswer = { ...CHECKED, outcome: 'approved', savedCard: NEW_CARD }
const DECLINED: CardCheckAnswer = {
  ...CHECKED,
  outcome: 'declined',
  decline: { reason: 'expired_card', retry: { kind: 'never' }, code: '54' },
}

interface FakeCards extends StoredCards, CardChecks {
  cards: StoredCard[]
  isDown: boolean
  losesAnswer: boolean
  checks: CardCheck[]
  checkAnswer: CardCheckAnswer
}

/** The saved card of one store, in memory. */
function fakeCards(): FakeCards {
  const fake = {
    checks: [] as CardCheck[],
    checkAnswer: APPROVED,
    checkCard(check: CardCheck) {
      fake.checks.push(check)
      return fake.answer(fake.checkAnswer)
    },
    cards: [CARD],
    isDown: false,
    losesAnswer: false,
    answer: <Value>(value: Value) =>
      fake.isDown ? Promise.reject(new Error('vault is down')) : Promise.resolve(value),
    storedCardsOf({ merchantId, payerEmail, limit, after }: CardsOfPayer) {
      const isMaria = merchantId === MERCHANT.id && payerEmail === 'maria@example.com'
      const start = fake.cards.findIndex((one) => one.code === after?.code) + 1
      return fake.answer(isMaria ? fake.cards.slice(start, start + limit) : [])
    },
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
        createSavedCards({
          ...parts,
          cards: vault,
          cardDeleted,
          payerGuard: createPayerGuard(parts),
        }).savedCardRoutes,
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
    const none = { 'saved-cards': [], 'next-cursor': null }
    expect((await search(payer)).json).toEqual({ 'saved-cards': [SHOWN], 'next-cursor': null })
    expect((await search({ 'payer-email': 'ana@example.com' })).json).toEqual(none)
    expect((await search(payer, OTHER_STORE)).json).toEqual(none)
    expect((await find()).json).toEqual({ 'saved-card': SHOWN })
    expect(await find(CODE, OTHER_STORE)).toMatchObject(NOT_FOUND)
    for (const code of ['1', '%00', 'x'.repeat(32), '4111111111111111'])
      expect(await find(code)).toMatchObject(NOT_FOUND)
  })

  it('of a payer are read to their end, however many there are', async () => {
    const codes = Array.from({ length: 130 }, (_, at) => String(at).padStart(32, 'a'))
    vault.cards = codes.map((code) => ({ ...CARD, code }))
    const pages: string[][] = []
    let cursor: string | null | undefined
    do {
      const part = cursor == null ? {} : { cursor }
      const { json } = await search({ 'payer-email': 'maria@example.com', limit: 100, ...part })
      const page = json as SavedCardListBody
      pages.push(page['saved-cards'].map(({ code }) => code))
      cursor = page['next-cursor']
    } while (cursor !== null)
    expect(pages).toEqual([codes.slice(0, 100), codes.slice(100)])
    const { json } = await search({ 'payer-email': 'maria@example.com' })
    expect((json as SavedCardListBody)['saved-cards']).toHaveLength(25)
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
    ['no payer', 'payer-email', {}],
    ['a payer that is none', 'payer-email', { 'payer-email': 'maria' }],
    ['a number', 'payer-email', { 'payer-email': 1 }],
    ['too many at once', 'limit', { 'payer-email': 'maria@example.com', limit: 101 }],
    ['a cursor that is none', 'cursor', { 'payer-email': 'maria@example.com', cursor: '1-2' }],
  ])('refuse a search with %s', async (_, property, body) => {
    expect(await search(body)).toMatchObject({
      status: 400,
      json: { errors: [{ code: 90603, property }] },
    })
  })
})

for (const engine of TEST_ENGINES)
  describe(`a card saved without a charge by the API, on ${engine.name}`, () => {
    let test: TestGateway
    let vault: FakeCards
    let reached: string[]
    const open = async (environment: 'production' | 'sandbox' = 'production') => {
      vault = fakeCards()
      reached = []
      test = await openTestGateway(engine, {
        environment,
        declineLimitReached: (limit) => reached.push(limit),
        roomsOn: (parts) => [
          createSavedCards({
            ...parts,
            cards: vault,
            cardDeleted: () => Promise.resolve(),
            payerGuard: createPayerGuard(parts),
          }).savedCardRoutes,
        ],
      })
      await test.gateway.saveMerchant({ ...MERCHANT, cardChecks: 'on' })
    }
    beforeEach(() => open())
    afterEach(() => test.close())

    const BODY = {
      token: 'a direct token',
      payer: {
        name: 'Maria da Silva',
        document: { type: 'CPF', number: '52998224725' },
        email: 'maria@example.com',
        ip: '2001:db8::1',
      },
    }
    const save = (body: object = BODY, headers = {}) =>
      test.send('POST', '/saved-cards', { body, headers })

    it('is answered as the others are, by the vault’s check', async () => {
      const { status, json } = await save()
      expect(status).toBe(201)
      expect(json).toEqual({
        'saved-card': {
          code: CODE,
          brand: 'visa',
          'last-four': '1111',
          'expiration-date': '2030-12',
          'date-created': '2025-12-31T21:00:00.000-03:00',
          'date-last-used': null,
          chargeable: true,
        },
      })
      expect(vault.checks).toMatchObject([
        {
          environment: 'production',
          merchantId: MERCHANT.id,
          token: 'a direct token',
          payer: { name: 'Maria da Silva', document: '52998224725', ip: '2001:db8::1' },
          countedAddress: '2001:db8:0:0::/64',
          saveCard: true,
        },
      ])
    })

    it('is answered with the reason when it is declined', async () => {
      vault.checkAnswer = DECLINED
      const { status, json } = await save()
      expect(status).toBe(201)
      expect(json).toEqual({
        'saved-card': null,
        decline: { reason: 'expired_card', code: '54', 'retry-allowed': false },
      })
    })

    it('gets one answer for each Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'save-1' }
      const first = await save(BODY, headers)
      expect((await save(BODY, headers)).json).toEqual(first.json)
      expect(vault.checks).toHaveLength(1)
      const payer = { ...BODY.payer, email: 'joao@example.com' }
      expect(await save({ ...BODY, payer }, headers)).toMatchObject({ codes: [90012] })
    })

    it.each([
      ['unknown', { ...CHECKED, outcome: 'unknown' }, 504, 90609],
      ['too_many_checks', { kind: 'refused', reason: 'too_many_checks' }, 429, 90607],
      ['check_not_supported', { kind: 'refused', reason: 'check_not_supported' }, 422, 90608],
      ['no_account', { kind: 'refused', reason: 'no_account' }, 422, 90608],
      ['acquirer_unavailable', { kind: 'refused', reason: 'acquirer_unavailable' }, 503, 90006],
      ['in_progress', { kind: 'refused', reason: 'in_progress' }, 409, 90013],
      ['bin_refused', { kind: 'refused', reason: 'bin_refused' }, 422, 210603],
    ] as const)('is refused for %s', async (_, answer, status, code) => {
      vault.checkAnswer = answer
      expect(await save()).toMatchObject({ status, codes: [code] })
    })

    it('is refused with the field of a token that is no good', async () => {
      vault.checkAnswer = { kind: 'refused', reason: 'token_invalid', tokenFault: 'used' }
      const { status, json } = await save()
      expect(status).toBe(400)
      expect(json.errors).toMatchObject([{ code: 90605, property: 'token', constraint: 'used' }])
    })

    it('names every wrong field at once, and shows no value', async () => {
      const payer = { name: '', document: { type: 'CPF', number: '1' }, email: 'x', ip: '737' }
      const { status, json } = await save({ payer })
      expect(status).toBe(400)
      const errors = json.errors as { property: string; code: number }[]
      expect(errors.map(({ property }) => property)).toEqual([
        'token',
        'payer.name',
        'payer.document.number',
        'payer.email',
        'payer.ip',
      ])
      expect(JSON.stringify(json)).not.toContain('737')
      expect(vault.checks).toEqual([])
    })

    it('needs the operator’s permission in production, and none in the sandbox', async () => {
      await test.gateway.saveMerchant({ ...MERCHANT, cardChecks: undefined })
      expect(await save()).toMatchObject({ status: 422, codes: [90606] })
      expect(vault.checks).toEqual([])
      await test.close()
      await open('sandbox')
      await test.gateway.saveMerchant({ ...MERCHANT, cardChecks: undefined })
      expect((await save()).status).toBe(201)
      await test.gateway.saveMerchant({ ...MERCHANT, cardChecks: 'off' })
      expect(await save({ ...BODY, token: 'other' })).toMatchObject({ codes: [90606] })
    })

    it.each([
      ['payerDeclines', 'payer'],
      ['addressDeclines', 'address'],
      ['binDeclines', 'bin'],
    ] as const)('counts declines in the limit %s, as payments do', async (limit, subject) => {
      await test.gateway.saveMerchant({ ...MERCHANT, cardChecks: 'on', [limit]: 1 })
      vault.checkAnswer = DECLINED
      await save()
      if (subject === 'bin') vault.checkAnswer = { kind: 'refused', reason: 'bin_refused' }
      expect(await save()).toMatchObject({ status: 422, codes: [210603] })
      expect(reached).toEqual([subject])
      if (subject === 'bin') expect(vault.checks[1]).toMatchObject({ refusedBins: ['411111'] })
      else expect(vault.checks).toHaveLength(1)
    })

    it('is refused for a blocked payer', async () => {
      const blocked = { payer: 'maria@example.com', by_provider: 0 }
      await test.database.transact((trx) =>
        trx.insertInto('blocked_payers').values(blocked).execute(),
      )
      expect(await save()).toMatchObject({ status: 422, codes: [210603] })
      expect(vault.checks).toEqual([])
    })
  })
