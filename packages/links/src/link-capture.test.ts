import { CARD_TYPE, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AUTHORIZED, MERCHANT } from '../../gateway/src/gateway.fixture.js'
import {
  capturePayment,
  voidPayment,
} from '../../gateway/src/payment/capture/authorized-end-service.js'
import { type LinkGateway, openLinks } from './links.fixture.js'
import { pollLinkTries } from './open-tries.js'
import { linkRequest, makeLink, orderOf, tryOf } from './payment-link.fixture.js'

for (const engine of TEST_ENGINES)
  describe(`a link that is captured later, on ${engine.name}`, () => {
    let test: LinkGateway
    let links = 0
    beforeEach(async () => {
      test = await openLinks(engine)
      test.answerCards(() => Promise.resolve(AUTHORIZED))
      test.endAuthorized(() => Promise.resolve({ kind: 'done' }))
    })
    afterEach(() => test.close())

    const body = (over: Record<string, unknown> = {}) =>
      linkRequest(`link-${++links}`, { methods: undefined, capture: false, ...over })
    const make = async (over: Record<string, unknown> = {}) =>
      (await makeLink(test, body(over))).code
    const send = (over: Record<string, unknown>) =>
      test.send('POST', '/payment-links', { body: body(over) })
    const pay = (code: string) => test.room.paymentPage.pay(code, orderOf(CARD_TYPE))
    const listed = async (status: string) => {
      const { json } = await test.send('GET', `/payment-links?status=${status}`)
      return (json['payment-links'] as { code: string }[]).map(({ code }) => code)
    }
    const answer = async (code: string) =>
      (await test.send('GET', `/payment-links/${code}`)).json['payment-link']

    /** A link with an authorized payment. */
    const reserve = async (over: Record<string, unknown> = {}) => {
      const code = await make(over)
      const tryId = tryOf(await pay(code))
      const payment = async () => {
        const { tries } = (await test.room.paymentLinks.find(MERCHANT.id, code))!
        return tries.find(({ linkTry }) => linkTry.id === tryId)!.transaction!
      }
      const end = { amountMinor: minorUnits(4_000), orderedBy: 'store' }
      return {
        code,
        payment,
        capture: async () => await capturePayment(test.parts, await payment(), end),
        release: async () => await voidPayment(test.parts, await payment(), 'store'),
        state: async () => (await test.room.paymentPage.find(code))?.state,
        show: async () => await test.room.paymentPage.findTry(code, tryId),
      }
    }

    it('takes cards alone, and shows how they are charged', async () => {
      const code = await make()
      expect(await answer(code)).toMatchObject({ capture: false, methods: [CARD_TYPE] })
      expect(await answer(await make({ methods: [CARD_TYPE] }))).toMatchObject({ capture: false })
      for (const capture of [true, undefined, null]) {
        const methods = ['pix', CARD_TYPE]
        expect(await answer(await make({ capture, methods }))).not.toHaveProperty('capture')
      }
    })

    it.each([['pix'], ['boleto'], ['pagseguro']])('refuses %s by name', async (method) => {
      const refused = await send({ methods: [CARD_TYPE, method] })
      expect(refused).toMatchObject({ status: 400, codes: [90504] })
      expect(refused.json.errors).toMatchObject([
        { property: 'methods[1]', constraint: 'invalid', allowed: [CARD_TYPE] },
      ])
    })

    it('takes the least of a card, and no list of methods only if it is captured later', async () => {
      expect(await send({ amount: 0.19 })).toMatchObject({ status: 400, codes: [90501] })
      expect(await send({ capture: true })).toMatchObject({ status: 400, codes: [90501] })
    })

    it('is the same link if its creation is repeated, and another if it is charged at once', async () => {
      const sent = body({ methods: [CARD_TYPE] })
      const create = (json: object) =>
        test.room.paymentLinks.create(MERCHANT.id, { body: json, actor: 'api' })
      expect(await create(sent)).toEqual(await create(sent))
      expect(await create({ ...sent, capture: true })).toMatchObject({
        failures: [{ name: 'payment_link_reference_used' }],
      })
    })

    it('is paid by an authorized card, which no other payment follows', async () => {
      const { code, payment, show, state } = await reserve()
      expect(test.orders).toMatchObject([{ isCapturedLater: true }])
      expect(await payment()).toMatchObject({ status: 'PENDING', capture: { state: 'authorized' } })
      expect(await show()).toMatchObject({ state: 'reserved' })
      expect(await state()).toBe('reserved')
      expect(await pay(code)).toEqual({ kind: 'not-payable', state: 'reserved' })
      expect(await listed('PAID')).toEqual([code])
      expect(await listed('PAYABLE')).toEqual([])
      expect(await answer(code)).toMatchObject({ status: 'PAID', tries: [{ status: 'PENDING' }] })
    })

    it('shows its payer what was captured', async () => {
      const { capture, code, show, state } = await reserve()
      expect(await capture()).toEqual({ kind: 'captured' })
      expect(await show()).toMatchObject({
        state: 'paid',
        amountMinor: 10_000,
        chargedMinor: 4_000,
      })
      expect(await state()).toBe('paid')
      expect(await listed('PAID')).toEqual([code])
    })

    it('can be paid again once the payment is released, as after a cancelled one', async () => {
      const { code, release, show, state } = await reserve()
      expect(await release()).toEqual({ kind: 'released' })
      expect(await show()).toMatchObject({ state: 'released' })
      expect(await state()).toBe('payable')
      expect(await listed('PAYABLE')).toEqual([code])
      const next = await test.room.paymentPage.findTry(code, tryOf(await pay(code)))
      expect(next).toMatchObject({ state: 'reserved' })
    })

    it('keeps an authorized payment when it is revoked', async () => {
      const { capture, code, state } = await reserve()
      await test.room.paymentLinks.revoke(MERCHANT.id, code, 'api')
      await pollLinkTries(test.linkParts)
      expect(await state()).toBe('reserved')
      expect(await capture()).toEqual({ kind: 'captured' })
      expect(await state()).toBe('paid')
    })

    it('for many payments is never reserved as a whole', async () => {
      const { code, show, state } = await reserve({ usage: 'many' })
      expect(await show()).toMatchObject({ state: 'reserved' })
      expect(await state()).toBe('payable')
      expect(await pay(code)).toMatchObject({ kind: 'try' })
    })

    it('is refused when it is paid, if no account can capture later', async () => {
      const code = await make()
      test.answerCards(() =>
        Promise.resolve({ kind: 'refused', reason: 'capture_later_not_possible' }),
      )
      expect(await pay(code)).toMatchObject({
        kind: 'invalid',
        failures: [{ name: 'capture_later_not_possible' }],
      })
      expect((await test.room.paymentPage.find(code))?.state).toBe('payable')
    })

    it('counts authorized cards as approved, not as in progress', async () => {
      const { code, release } = await reserve({ usage: 'many' })
      const counted = { storeId: MERCHANT.id, linkId: code, sinceMs: 0 }
      const { cardCounts, linkTries } = test.linkParts
      expect(await cardCounts.hasApprovals(counted, 1)).toBe(true)
      const order = { linkId: code, method: CARD_TYPE, address: '203.0.113.8' }
      const opened = await linkTries.open(
        { ...order, id: 'x'.repeat(22), formId: 'form-2', createdAtMs: 1, pollAtMs: 1 },
        [{ ...counted, declinesMin: 1 }],
      )
      expect(opened.kind).toBe('opened')
      await release()
      expect(await cardCounts.hasApprovals(counted, 1)).toBe(true)
    })
  })
