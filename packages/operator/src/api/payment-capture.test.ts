import type { CaptureAnswer } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  AUTHORIZED,
  cardRequest,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import { type TestOperator, openTestOperator } from '../operator.fixture.js'

const BEFORE = '2026-11-27T09:00:00.000-03:00'

// No statement here depends on the engine.
for (const engine of TEST_ENGINES.filter(({ name }) => name === 'sqlite')) {
  describe('a payment that is captured later, by the API', () => {
    let test: TestOperator
    let code: string
    beforeEach(async () => {
      test = await openTestOperator(engine)
      test.answerCards(() => Promise.resolve(AUTHORIZED))
      code = await authorize()
    })
    afterEach(() => test.close())

    const create = (body: object) => test.send('POST', '/transactions', { body })
    const authorize = async (reference = 'order-1') => {
      const { json } = await create(cardRequest(reference, { capture: false }))
      return (json.transaction as { code: string }).code
    }
    const capture = (body: object = {}, of = code) =>
      test.send('POST', `/payments/${of}/capture`, { body })
    const cancel = (of = code) => test.send('POST', `/payments/${of}/cancellation`, { body: {} })
    const answering = (answer: CaptureAnswer): void => {
      test.endAuthorized(() => Promise.resolve(answer))
    }

    it('is created PENDING, with the time of the rule', async () => {
      const { json, status } = await create(cardRequest('order-2', { capture: false }))
      expect(status).toBe(201)
      expect(json.transaction).toMatchObject({ status: 'PENDING', 'capture-before': BEFORE })
      test.answerCards(() => Promise.resolve(APPROVED))
      const atOnce = await create(cardRequest('order-3', { capture: true }))
      expect(atOnce.json.transaction).not.toHaveProperty('capture-before')
    })

    it.each([
      ['another method', railRequest('order-2', 'pix'), { capture: true }],
      ['text', cardRequest('order-2'), { installments: 1, token: 'a.b.c.d.e', capture: 'false' }],
    ])('refuses %s by name', async (_, request, info) => {
      const charge = request.charge.map((one) => ({ ...one, 'payment-info': info }))
      const { codes, json } = await create({ ...request, charge })
      expect(codes).toEqual([90403])
      expect(json.errors).toMatchObject([{ property: 'charge[0].payment-info.capture' }])
    })

    it('is refused by name if no account can do it, and leaves its reference free', async () => {
      test.answerCards(() =>
        Promise.resolve({ kind: 'refused', reason: 'capture_later_not_possible' }),
      )
      const refused = await create(cardRequest('order-2', { capture: false }))
      expect(refused).toMatchObject({ status: 422, codes: [90404] })
      test.answerCards(() => Promise.resolve(AUTHORIZED))
      expect((await create(cardRequest('order-2', { capture: false }))).status).toBe(201)
    })

    it('is AUTHORIZED in its file, and PENDING in the search', async () => {
      expect(await test.send('GET', `/payments/${code}`)).toMatchObject({
        json: {
          payment: {
            status: 'AUTHORIZED',
            'captured-amount': null,
            'capture-before': BEFORE,
            'date-paid': null,
            'expires-at': null,
          },
        },
      })
      const searched = await test.send('GET', `/transactions/${code}`)
      expect(searched.text).toContain('"status":"PENDING"')
      expect(searched.text).toContain('"refundable":false')
    })

    it('is captured in part, and keeps the order’s amount in the search', async () => {
      const captured = {
        status: 200,
        json: {
          capture: 'captured',
          payment: {
            status: 'COMPLETE',
            amount: 100,
            'captured-amount': 40,
            'capture-before': null,
          },
        },
      }
      expect(await capture({ amount: 40 })).toMatchObject(captured)
      expect(await capture({ amount: '40.00' })).toMatchObject(captured)
      expect(test.captures).toHaveLength(1)
      const searched = await test.send('GET', `/transactions/${code}`)
      expect(searched.text).toContain('"amount":"100.00"')
      expect(await capture()).toMatchObject({ status: 409, codes: [90633] })
      expect(await cancel()).toMatchObject({
        status: 200,
        json: { cancellation: 'paid-meanwhile', payment: { status: 'COMPLETE' } },
      })
    })

    it('is voided by its cancellation', async () => {
      const cancelled = {
        status: 200,
        json: { cancellation: 'cancelled', payment: { status: 'CANCELLED' } },
      }
      expect(await cancel()).toMatchObject(cancelled)
      expect(await cancel()).toMatchObject(cancelled)
      expect(test.voids).toHaveLength(1)
      expect(await capture()).toMatchObject({ status: 409, codes: [90632] })
    })

    it.each([
      ['capture', capture, { capture: 'in-process' }],
      ['cancellation', cancel, { cancellation: 'in-process' }],
    ])('answers that a %s is in process', async (name, ask, body) => {
      answering({ kind: 'in_process' })
      const answer = await ask()
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ ...body, payment: { status: 'AUTHORIZED' } })
      const other = name === 'capture' ? await cancel() : await capture()
      expect(other).toMatchObject({ status: 409, codes: [90633] })
    })

    it.each([
      ['capture', capture, 90635],
      ['cancellation', cancel, 90636],
    ])('stays AUTHORIZED if the acquirer refuses the %s', async (_, ask, error) => {
      answering({ kind: 'refused', detail: 'not now' })
      expect(await ask()).toMatchObject({ status: 422, codes: [error] })
      expect((await test.send('GET', `/payments/${code}`)).text).toContain('"AUTHORIZED"')
    })

    it.each([
      [{ amount: 100.01 }, 422, 90634],
      [{ amount: 0 }, 400, 90631],
      [{ amount: null }, 400, 90631],
      [{ amount: '' }, 400, 90631],
      [{ value: 40 }, 400, 90631],
      [{ amount: 'all' }, 400, 90631],
      [[], 400, 90631],
    ])('refuses the capture %j', async (body, status, error) => {
      expect(await capture(body)).toMatchObject({ status, codes: [error] })
      expect(test.captures).toEqual([])
    })

    it('is not what was charged at once, or is not known', async () => {
      test.answerCards(() => Promise.resolve(APPROVED))
      const { json } = await create(cardRequest('order-2'))
      const { code: paid } = json.transaction as { code: string }
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
      for (const of of [paid, await authorize('order-3')]) {
        expect((await capture({}, of)).codes).toEqual([90632])
        expect((await cancel(of)).codes).toEqual([90601])
      }
      for (const unknown of ['1', 'x']) expect((await capture({}, unknown)).codes).toEqual([20614])
    })
  })
}
