import {
  type CardAnswer,
  type CardChange,
  type CardOrder,
  type CardPayments,
  type CardRefundOrder,
  type CardService,
  Secret,
  minorUnits,
} from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NO_RETURNS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../../gateway/src/gateway.fixture.js'
import { WAITING_BANK } from '../simulated-bank/sandbox-bank.js'
import { FIXED_SAVED_CARD, SIMULATED_CARD_CODE } from '../test-data/test-data.js'
import { createSandboxCardPayments } from './sandbox-card-payments.js'

const ELO_PAYS: CardAnswer = {
  kind: 'answered',
  outcome: 'approved',
  card: { brand: 'elo', bin: '506699', lastFour: '1118' },
}

/** The only payment method, as the shop sees it. */
const FIXED_METHOD = {
  code: FIXED_SAVED_CARD.code,
  'credit-card': {
    brand: 'visa',
    'masked-number': '************1111',
    'expiration-date': '2040-12',
  },
  'date-created': '2025-12-31T21:00:00.000-03:00',
}
const REFUND: CardRefundOrder = {
  environment: 'sandbox',
  merchantId: 'store-1',
  transactionCode: '1',
  refundId: '2',
  amountMinor: minorUnits(100),
}

/** A vault that no order should reach. */
const UNASKED: CardPayments = {
  authorize: () => Promise.reject(new Error('no order was expected')),
  recallAuthorization: () => Promise.reject(new Error('no question was expected')),
  hasArrived: () => Promise.reject(new Error('no question was expected')),
  authenticate: () => Promise.reject(new Error('no question was expected')),
  activateSavedCard: () => Promise.reject(new Error('no card was saved')),
}
const OTHER_CODE = '0123456789ABCDEF0123456789ABCDEF'
const RAW_CARD = { number: '5066991111111118', cvv: '123', 'expiration-date': '2030-12' }

for (const engine of TEST_ENGINES) {
  describe(`a card in the sandbox on ${engine.name}`, () => {
    let test: TestGateway
    let asked: CardOrder[]
    let answer: CardAnswer
    let activated: string[]
    let references = 0
    beforeEach(async () => {
      asked = []
      answer = ELO_PAYS
      activated = []
      const vault = {
        ...NO_RETURNS,
        authorize(order: CardOrder) {
          asked.push(order)
          return Promise.resolve(answer)
        },
        recallAuthorization: () => Promise.resolve(answer),
        hasArrived: () => Promise.resolve(true),
        authenticate: () => Promise.resolve(answer),
        activateSavedCard(_: string, code: string) {
          activated.push(code)
          return Promise.resolve()
        },
      }
      const cards = createSandboxCardPayments(vault, WAITING_BANK, (of) =>
        test.gateway.keepsOwnCards(of),
      )
      test = await openTestGateway(engine, { environment: 'sandbox', cards })
      await test.gateway.saveMerchant({ ...MERCHANT, mayUseRawCards: true })
    })
    afterEach(() => test.close())

    const pay = (info: Record<string, unknown>, subType?: string) => {
      const body = cardRequest(`order-${++references}`, info)
      const charge = {
        ...body.charge[0],
        currency: 'BRL',
        'payment-method': { type: 'credit-card', 'sub-type': subType },
      }
      const payer = { ...body.payer, ip: '203.0.113.7' }
      return test.send('POST', '/transactions', { body: { ...body, charge: [charge], payer } })
    }

    it.each<[string, Record<string, unknown>]>([
      ['a token', {}],
      ['a token to be saved', { save: true }],
      ['a raw card to be saved', { token: undefined, 'credit-card': RAW_CARD, save: true }],
    ])('answers the one saved card to %s', async (_, info) => {
      const { status, json } = await pay(info)
      expect(status).toBe(201)
      expect(json['payment-methods']).toEqual([FIXED_METHOD])
      expect(asked).toMatchObject([{ environment: 'sandbox', saveCard: false }])
    })

    it('answers it every time, and shows it in the search', async () => {
      await pay({ save: true })
      const { json } = await pay({ save: true })
      expect(json['payment-methods']).toEqual([FIXED_METHOD])
      const { code } = json.transaction as { code: string }
      const search = await test.send('GET', `/transactions/${code}`)
      expect(search.json).toMatchObject({
        'transaction-result': {
          transactions: [{ 'payment-id': 'elo', 'payment-methods': [FIXED_METHOD] }],
        },
      })
    })

    it('answers no card to a raw card that is not saved', async () => {
      const { json } = await pay({ token: undefined, 'credit-card': RAW_CARD })
      expect(json).not.toHaveProperty('payment-methods')
    })

    it('answers no card when the card is refused', async () => {
      answer = { kind: 'refused', reason: 'token_invalid' }
      expect(await pay({ save: true })).toMatchObject({ status: 400, codes: [210216] })
    })

    it('pays with the fixed code, without a vault', async () => {
      const { status, json } = await pay({ token: undefined, code: FIXED_SAVED_CARD.code })
      expect(status).toBe(201)
      expect(json).toMatchObject({ transaction: { status: 'PAID' } })
      expect(json).not.toHaveProperty('payment-methods')
      expect(asked).toEqual([])
    })

    it('has the vault alone charge it if there is a security code', async () => {
      const token = `eyJhbGciOiJFQ0RILUVTIn0..${'i'.repeat(16)}.ccc.${'t'.repeat(22)}`
      const info = {
        token: undefined,
        code: FIXED_SAVED_CARD.code,
        'security-code-token': token,
      }
      const { json } = await pay(info)
      expect(json).toMatchObject({ transaction: { status: 'PAID' } })
      expect(json).not.toHaveProperty('payment-methods')
      expect(asked).toMatchObject([
        { source: { kind: 'code', code: SIMULATED_CARD_CODE, securityCodeToken: token } },
      ])
      answer = { kind: 'refused', reason: 'security_code_token_invalid', tokenFault: 'used' }
      expect(await pay(info)).toMatchObject({ status: 400, codes: [90402] })
      expect(await pay({ ...info, code: SIMULATED_CARD_CODE })).toMatchObject({ codes: [210220] })
    })

    it('pays with it for every payer, even before any card was saved', async () => {
      const body = cardRequest('order-x', { token: undefined, code: FIXED_SAVED_CARD.code })
      body.payer.email = 'joana@example.com'
      expect((await test.send('POST', '/transactions', { body })).status).toBe(201)
    })

    it.each([OTHER_CODE, FIXED_SAVED_CARD.code.toLowerCase()])(
      'does not know the code %s',
      async (code) => {
        expect(await pay({ token: undefined, code })).toMatchObject({
          status: 422,
          json: { errors: [{ code: 210605, property: 'charge[0].payment-info.code' }] },
        })
      },
    )

    it('keeps the cards that payers save, and theirs alone, where the store wants its own', async () => {
      await test.gateway.saveMerchant({ ...MERCHANT, mayUseRawCards: true, savedCards: 'own' })
      const own = { ...FIXED_SAVED_CARD, code: OTHER_CODE }
      answer = { ...ELO_PAYS, savedCard: own }
      const { json } = await pay({ save: true })
      expect(json['payment-methods']).toMatchObject([{ code: OTHER_CODE }])
      answer = ELO_PAYS
      expect((await pay({})).json).not.toHaveProperty('payment-methods')
      expect((await pay({ token: undefined, code: OTHER_CODE })).status).toBe(201)
      answer = { kind: 'refused', reason: 'code_not_found' }
      expect((await pay({ token: undefined, code: FIXED_SAVED_CARD.code })).codes).toEqual([210605])
      expect(asked).toMatchObject([
        { saveCard: true },
        { saveCard: false },
        { source: { kind: 'code', code: OTHER_CODE }, payerEmail: 'maria@example.com' },
        { source: { kind: 'code', code: FIXED_SAVED_CARD.code } },
      ])
    })

    it.each(['own', undefined] as const)(
      'answers an order whose answer was lost as its store has saved cards: %s',
      async (savedCards) => {
        await test.gateway.saveMerchant({ ...MERCHANT, savedCards })
        const { json } = await pay({})
        const { code } = json.transaction as { code: string }
        const { cards } = test.parts
        expect(await cards.recallAuthorization('sandbox', code)).toEqual(
          savedCards === 'own' ? ELO_PAYS : { ...ELO_PAYS, savedCard: FIXED_SAVED_CARD },
        )
        activated = []
        await cards.activateSavedCard('sandbox', code)
        expect(activated).toEqual(savedCards === 'own' ? [code] : [])
      },
    )

    it('refuses the fixed code as a card of another brand', async () => {
      const info = { token: undefined, code: FIXED_SAVED_CARD.code }
      expect(await pay(info, 'elo')).toMatchObject({ status: 400, codes: [210210] })
      expect((await pay(info, 'visa')).status).toBe(201)
    })
  })
}

describe('the sandbox’s card payments', () => {
  it('pass the order to the vault as it is, and have no card to activate', async () => {
    const orders: CardOrder[] = []
    const vault = {
      ...NO_RETURNS,
      authorize(order: CardOrder) {
        orders.push(order)
        return Promise.resolve(ELO_PAYS)
      },
      recallAuthorization: () => Promise.resolve(undefined),
      hasArrived: () => Promise.resolve(false),
      authenticate: () => Promise.resolve(undefined),
      activateSavedCard: () => Promise.reject(new Error('no card was saved')),
    }
    const cards = createSandboxCardPayments(vault, WAITING_BANK)
    const card = { number: RAW_CARD.number, cvv: '123', month: '12', year: '2030' }
    const order: CardOrder = {
      environment: 'sandbox',
      merchantId: 'store-1',
      transactionCode: '1',
      source: { kind: 'raw', card: new Secret(card) },
      payerEmail: 'maria@example.com',
      amountMinor: minorUnits(100),
      installments: 1,
      saveCard: true,
    }
    await cards.authorize(order)
    expect(orders).toEqual([{ ...order, saveCard: false }])
    await expect(cards.activateSavedCard('sandbox', '1')).resolves.toBeUndefined()
  })

  it('only authorize the fixed saved card for an order that is captured later', async () => {
    const cards = createSandboxCardPayments({ ...UNASKED, ...NO_RETURNS }, WAITING_BANK)
    const order: CardOrder = {
      environment: 'sandbox',
      merchantId: 'store-1',
      transactionCode: '1',
      source: { kind: 'code', code: FIXED_SAVED_CARD.code },
      payerEmail: 'maria@example.com',
      amountMinor: minorUnits(100),
      installments: 1,
      saveCard: false,
    }
    expect(await cards.authorize({ ...order, isCapturedLater: true })).toMatchObject({
      outcome: 'approved',
      isAuthorizedOnly: true,
    })
    expect(await cards.authorize(order)).not.toHaveProperty('isAuthorizedOnly')
  })

  it.each([
    [{ reference: 'return-1' }, { kind: 'done' }],
    [{}, { kind: 'done' }],
    [{ reference: 'return-reject' }, { kind: 'refused' }],
  ])(
    'send back %j of what no account has charged as the sandbox’s bank does',
    async (over, end) => {
      const cards = createSandboxCardPayments({ ...UNASKED, ...NO_RETURNS }, WAITING_BANK)
      expect(await cards.refund({ ...REFUND, ...over })).toMatchObject(end)
    },
  )

  it('leave a charge of a test account to its acquirer', async () => {
    const orders: CardRefundOrder[] = []
    const changes: CardChange[] = []
    const acknowledged: string[] = []
    const covered: unknown[] = []
    const vault: CardService = {
      ...UNASKED,
      refund(order) {
        orders.push(order)
        return Promise.resolve({ kind: 'in_process' })
      },
      capture: () => Promise.resolve({ kind: 'done' }),
      voidCharge: () => Promise.resolve({ kind: 'overtaken', by: 'capture' }),
      changes: () => Promise.resolve(changes),
      acknowledge(_, ids) {
        acknowledged.push(...ids)
        return Promise.resolve()
      },
      coverAccounts(_, accounts) {
        covered.push(...accounts)
        return Promise.resolve()
      },
      setFieldSettings: ({ revision }) => Promise.resolve(revision + 1),
    }
    const cards = createSandboxCardPayments(vault, WAITING_BANK)
    expect(await cards.refund(REFUND)).toEqual({ kind: 'in_process' })
    expect(orders).toEqual([REFUND])
    expect(await cards.capture(REFUND)).toEqual({ kind: 'done' })
    expect(await cards.voidCharge(REFUND)).toEqual({ kind: 'overtaken', by: 'capture' })
    expect(await cards.changes('sandbox')).toBe(changes)
    await cards.acknowledge('sandbox', ['change-1'])
    expect(acknowledged).toEqual(['change-1'])
    const days = { accountId: 'adyen-1', fromMs: 1, untilMs: 2 }
    await cards.coverAccounts('sandbox', [days])
    expect(covered).toEqual([days])
    const announced = { environment: 'sandbox', storeId: 'loja', revision: 1, origins: [] } as const
    expect(await cards.setFieldSettings({ ...announced, showsBin: false })).toBe(2)
  })
})
