import { DAY_MS, HOUR_MS, MINUTE_MS, type PaymentElement, minorUnits } from '@cofre/contracts'
import type { TransactionCode } from '@cofre/gateway/room'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PixGateway, openPixGateway } from '../../../banks/src/payment/pix-bank.fixture.js'
import { createPayerData } from '../../../gateway/src/create-payer-data.js'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  cardRequest,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import {
  archiveAll,
  create,
  finish,
  openAgingGateway,
} from '../../../gateway/src/ledger/archive/archive.fixture.js'
import type { Merchant } from '../../../gateway/src/model/merchant/merchant.js'
import { formatTimestamp } from '../../../gateway/src/model/calendar/brazilian-calendar.js'
import { applyCardChanges } from '../../../gateway/src/payment/card-return-service.js'
import { processRefunds } from '../../../gateway/src/payment/refund-service.js'
import { recordStatus } from '../../../gateway/src/payment/status-report-service.js'
import { servesDesk } from '../operator.fixture.js'

const OTHER_STORE: Merchant = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }
const NOTIFIED = { 'notify-url': 'https://shop.example/refunds' }
const STOPPED = AbortSignal.abort()

type Aging = Awaited<ReturnType<typeof openAgingGateway>>

for (const engine of TEST_ENGINES) {
  describe(`a payment by the API, on ${engine.name}`, () => {
    let test: Aging
    let orders = 0
    beforeAll(async () => {
      test = await openAgingGateway(engine, servesDesk)
      await test.test.gateway.saveMerchant(OTHER_STORE)
    })
    beforeEach(() => {
      test.time.nowMs = NOW_MS
    })
    afterAll(() => test.close())

    const pay = (info = {}) => create(test, cardRequest(`order-${++orders}`, info))
    const find = async (code: number | string, merchant = MERCHANT) =>
      await test.send('GET', `/payments/${code}`, { merchant })
    const payment = async (code: number) => (await find(code)).json.payment as PaymentElement

    it('has the facts of a card that a fiscal document and an accountant need', async () => {
      test.test.answerCards(() =>
        Promise.resolve({
          ...APPROVED,
          card: { brand: 'visa', bin: '41111111', lastFour: '1111' },
          charge: {
            accountId: 'cielo-1',
            provider: 'cielo',
            nsu: '662000',
            authorizationCode: '013579',
            paymentId: 'pay-1',
            liabilityShift: true,
            eci: '05',
            hasNetworkIds: true,
          },
        }),
      )
      const { code } = await pay({ installments: 3 })
      test.test.answerCards(() => Promise.resolve(APPROVED))
      expect(await payment(code)).toMatchObject({
        code: String(code),
        reference: `order-${orders}`,
        status: 'COMPLETE',
        method: 'credit-card',
        'method-name': 'visa',
        amount: 100,
        installments: 3,
        'refunded-amount': 0,
        payer: { name: 'Maria da Silva', document: '52998224725', email: 'maria@example.com' },
        card: {
          brand: 'visa',
          bin: '41111111',
          'last-four': '1111',
          acquirer: {
            name: 'cielo',
            account: { id: 'cielo-1' },
            nsu: '662000',
            'authorization-code': '013579',
            'payment-id': 'pay-1',
          },
          'liability-shift': true,
          eci: '05',
          'has-network-ids': true,
          decline: null,
        },
        'bank-charge': null,
        notifications: [{ status: 'COMPLETE', state: 'waiting', attempts: 0 }],
        settlements: [],
      })
    })

    it('explains a declined card', async () => {
      test.test.answerCards(() =>
        Promise.resolve({
          ...APPROVED,
          outcome: 'declined',
          decline: { reason: 'insufficient_funds', code: '51', retry: { kind: 'never' } },
        }),
      )
      const { code } = await pay()
      test.test.answerCards(() => Promise.resolve(APPROVED))
      const { card, status } = await payment(code)
      expect(status).toBe('CANCELLED')
      expect(card?.decline).toMatchObject({ reason: 'insufficient_funds', 'retry-allowed': false })
    })

    it('has its refunds, notifications and disputes', async () => {
      const { code } = await pay()
      const body = { 'transaction-id': code, amount: 40, reference: 'return-7', ...NOTIFIED }
      await test.send('POST', '/refunds', { body, digest: 'hex' })
      test.time.nowMs += HOUR_MS
      await processRefunds(test.parts)
      test.test.changes.push({
        id: 'change-1',
        transactionCode: String(code),
        change: { kind: 'charged_back', amountMinor: minorUnits(6_000) },
        detail: 'fraud 10.4',
        atMs: test.time.nowMs,
      })
      await applyCardChanges(test.parts, STOPPED)
      const found = await payment(code)
      expect(found).toMatchObject({
        'refunded-amount': 40,
        refunds: [{ amount: 40, reference: 'return-7', status: 'PROCESSED', origin: 'store' }],
        disputes: [{ kind: 'charged-back', amount: 60, reason: 'fraud 10.4' }],
      })
      expect(found.notifications.map(({ status }) => status)).toContain('CHARGEBACK')
    })

    it('has its own metadata and that of its refunds, until the payer is erased', async () => {
      const order = cardRequest(`order-${++orders}`)
      const metadata = { channel: 'app', note: 'for Zanzibar' }
      const transaction = { ...order.transaction, metadata }
      const { code } = await create(test, { ...order, transaction })
      const asked = { 'transaction-id': code, amount: 40, ...NOTIFIED, metadata: { case: '7' } }
      await test.send('POST', '/refunds', { body: asked, digest: 'hex' })
      test.time.nowMs += HOUR_MS
      await processRefunds(test.parts)
      const refunds = [{ amount: 40, metadata: { case: '7' } }]
      expect(await payment(code)).toMatchObject({ metadata, refunds })
      const listed = async () =>
        (await test.send('GET', `/refunds?transaction-code=${code}`)).json.refunds
      expect(await listed()).toMatchObject(refunds)
      expect((await payment((await pay()).code)).metadata).toEqual({})
      test.time.nowMs += 40 * DAY_MS
      await createPayerData(test.database).erase([code], test.time.nowMs)
      const erased = await payment(code)
      expect(erased).toMatchObject({ metadata: {}, refunds: [{ amount: 40, metadata: {} }] })
      expect(erased.refunds[0]?.metadata).toEqual({})
      expect(JSON.stringify([erased, await listed()])).not.toMatch(/Zanzibar|"case"/)
    })

    it('names no payer once the payer is erased, nor what is sent later', async () => {
      const { code } = await pay()
      test.time.nowMs += 40 * DAY_MS
      await createPayerData(test.database).erase([code], test.time.nowMs)
      expect(await payment(code)).toMatchObject({ payer: null, 'payer-email': null })
      const body = { 'transaction-id': code, metadata: { customer: 'Maria' }, ...NOTIFIED }
      await test.send('POST', '/refunds', { body, digest: 'hex' })
      expect((await payment(code)).refunds).toMatchObject([{ metadata: {} }])
    })

    it('is found by its own store alone', async () => {
      const { code } = await pay()
      for (const [text, merchant] of [
        [String(code), OTHER_STORE],
        ['1', MERCHANT],
        ['abc', MERCHANT],
        ['%00', MERCHANT],
      ] as const)
        expect(await find(text, merchant)).toMatchObject({ status: 404, codes: [20614] })
    })

    describe('its cancellation', () => {
      const cancel = (code: number, merchant = MERCHANT) =>
        test.send('POST', `/payments/${code}/cancellation`, { body: {}, merchant })

      it.each(['boleto', 'pix', 'pagseguro'] as const)('ends an open %s, once', async (rail) => {
        const { code } = await create(test, railRequest(`order-${++orders}`, rail))
        for (let time = 0; time < 2; time++)
          expect(await cancel(code)).toMatchObject({
            status: 200,
            json: { cancellation: 'cancelled', payment: { status: 'CANCELLED' } },
          })
        const { notifications } = await payment(code)
        expect(notifications.map(({ status }) => status)).toEqual(['CANCELLED'])
      })

      it('loses against a payment', async () => {
        const { code } = await create(test, railRequest(`order-${++orders}`, 'boleto'))
        await recordStatus(test.parts, code, 'COMPLETE')
        expect(await cancel(code)).toMatchObject({
          status: 200,
          json: { cancellation: 'paid-meanwhile', payment: { status: 'COMPLETE' } },
        })
      })

      it('is refused of a payment that waits for no payer, and of another store', async () => {
        test.test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'review' }))
        const { code } = await pay()
        test.test.answerCards(() => Promise.resolve(APPROVED))
        const { code: paid } = await pay()
        for (const card of [code, paid])
          expect(await cancel(card)).toMatchObject({ status: 409, codes: [90601] })
        const open = await create(test, railRequest(`order-${++orders}`, 'boleto'))
        expect(await cancel(open.code, OTHER_STORE)).toMatchObject({ status: 404, codes: [20614] })
        expect((await payment(open.code)).status).toBe('PENDING')
      })
    })
  })

  describe(`the cancellation of a PIX at its bank, on ${engine.name}`, () => {
    let pix: PixGateway
    beforeAll(async () => {
      pix = await openPixGateway(engine, servesDesk)
    })
    afterAll(() => pix.close())

    const cancel = (code: TransactionCode) =>
      pix.test.send('POST', `/payments/${code}/cancellation`, { body: {} })

    it('is requested again while the bank does not answer, and then shows its txid', async () => {
      await pix.create('order-1')
      const { code } = (await pix.find('order-1'))!
      pix.bank.disturb('removeCharge', 'unavailable')
      expect(await cancel(code)).toMatchObject({ status: 503, codes: [90006] })
      expect((await pix.find('order-1'))?.status).toBe('PENDING')
      pix.time.nowMs += MINUTE_MS
      expect(await cancel(code)).toMatchObject({ json: { cancellation: 'cancelled' } })
      const { json } = await pix.test.send('GET', `/payments/${code}`)
      expect(json.payment).toMatchObject({
        status: 'CANCELLED',
        'bank-charge': { name: pix.bank.txid, account: { id: 'bank-1' }, payments: [] },
      })
    })
  })

  describe(`refunds by the API, on ${engine.name}`, () => {
    let test: Aging
    const ids: string[] = []
    beforeAll(async () => {
      test = await openAgingGateway(engine, servesDesk)
      await test.test.gateway.saveMerchant(OTHER_STORE)
      for (let i = 1; i <= 5; i++) {
        test.time.nowMs = NOW_MS + i * MINUTE_MS
        const { code } = await create(test, cardRequest(`order-${i}`))
        const body = { 'transaction-id': code, reference: `return-${i}`, ...NOTIFIED }
        const { json } = await test.send('POST', '/refunds', { body, digest: 'hex' })
        ids.push(json['refund-id'] as string)
        if (i === 2) await finish(test)
      }
    })
    afterAll(() => test.close())

    interface Listed {
      readonly refunds: readonly { readonly 'refund-id': string; readonly status: string }[]
      readonly 'next-cursor': string | null
    }
    const list = async (query: string, merchant = MERCHANT) =>
      (await test.send('GET', `/refunds${query}`, { merchant })).json as unknown as Listed
    const idsOf = async (query: string, merchant = MERCHANT) =>
      (await list(query, merchant)).refunds.map((one) => one['refund-id'])

    it('are listed page by page, the newest first, each once', async () => {
      const found: string[] = []
      let cursor: string | null = ''
      do {
        const page: Listed = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
        expect(page.refunds.length).toBeLessThanOrEqual(2)
        found.push(...page.refunds.map((one) => one['refund-id']))
        cursor = page['next-cursor']
      } while (cursor !== null)
      expect(found).toEqual(ids.toReversed())
    })

    it('are filtered by status, transaction and time', async () => {
      expect(await idsOf('?status=PROCESSED')).toEqual(ids.slice(0, 2).toReversed())
      expect(await idsOf('?status=REJECTED')).toEqual([])
      const transaction = await test.parts.transactions.findByReference(MERCHANT.id, 'order-3')
      expect(await idsOf(`?transaction-code=${transaction?.code}`)).toEqual([ids[2]])
      const at = (i: number) => encodeURIComponent(formatTimestamp(NOW_MS + i * MINUTE_MS))
      const period = `?created-from=${at(2)}&created-until=${at(4)}`
      expect(await idsOf(period)).toEqual(ids.slice(1, 3).toReversed())
    })

    it('are those of their store, the archived ones too', async () => {
      expect(await idsOf('', OTHER_STORE)).toEqual([])
      await finish(test)
      test.time.nowMs = NOW_MS + 800 * DAY_MS
      await archiveAll(test.database, test.time.nowMs)
      expect(await idsOf('')).toEqual(ids.toReversed())
      expect(await idsOf('?status=PROCESSED&limit=3')).toEqual(ids.slice(2).toReversed())
    })

    it.each([
      ['limit=0', [90611]],
      ['limit=101&cursor=x', [90611, 90612]],
      ['created-from=yesterday&created-until=2026-11-21', [90613, 90614]],
      ['status=DONE', [22119]],
      ['transaction-code=0', [90616]],
    ])('are refused with %s', async (query, codes) => {
      expect(await test.send('GET', `/refunds?${query}`)).toMatchObject({ status: 400, codes })
    })
  })
}
