import { DAY_MS, HOUR_MS, type LinkElement } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LinkGateway, openLinks, openPixLinks } from './links.fixture.js'
import { linkRequest, makeLink, orderOf } from './payment-link.fixture.js'
import { MERCHANT, NOW_MS, TEST_RAILS, railRequest } from '../../gateway/src/gateway.fixture.js'
import type { Merchant } from '../../gateway/src/model/merchant/merchant.js'
import { formatTimestamp } from '../../gateway/src/model/calendar/brazilian-calendar.js'
import {
  sendSigned,
  signedByLibrary,
} from '../../gateway/src/api/request/message-signature.fixture.js'

const OTHER_STORE: Merchant = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }

for (const engine of TEST_ENGINES) {
  describe(`payment links over the API on ${engine.name}`, () => {
    let test: LinkGateway
    let nowMs = NOW_MS
    let links = 0
    beforeAll(async () => {
      const clock = { now: () => nowMs }
      test = await openLinks(engine, {
        clock,
        machineClock: clock,
        requestPolicy: {
          wallets: ['pagseguro', 'paypal'],
          acceptsNotificationUrl: (url) => !url.includes('10.0.0.1'),
        },
      })
      await test.gateway.saveMerchant(OTHER_STORE)
    })
    afterAll(() => test.close())

    const body = (over: Record<string, unknown> = {}) => linkRequest(`link-${++links}`, over)
    const make = (over: Record<string, unknown> = {}) => makeLink(test, body(over))
    const send = (json: unknown, headers: Record<string, string> = {}) =>
      test.send('POST', '/payment-links', { body: json, headers })
    const find = (code: string, merchant = MERCHANT) =>
      test.send('GET', `/payment-links/${code}`, { merchant })
    const revoke = (code: string, merchant = MERCHANT) =>
      test.send('POST', `/payment-links/${code}/revocations`, { body: {}, merchant })
    const count = async () =>
      (await test.room.paymentLinks.list(MERCHANT.id, { limit: 1000 })).items.length
    const failuresOf = ({ json }: { json: Record<string, unknown> }) =>
      (json.errors as Record<string, unknown>[]).map(({ property, constraint }) => [
        property,
        constraint,
      ])

    it('is made with what the store leaves out, and is found under its code', async () => {
      const sent = body()
      const answer = await send(sent)
      const { code, url } = answer.json['payment-link'] as LinkElement
      expect(answer).toMatchObject({
        status: 201,
        json: {
          'payment-link': {
            ...sent,
            usage: 'once',
            currency: 'BRL',
            installments: 12,
            language: 'pt-BR',
            status: 'PAYABLE',
            'expires-at': null,
            'date-created': formatTimestamp(nowMs),
            'date-revoked': null,
          },
        },
      })
      expect(code).toMatch(/^[\w-]{22}$/)
      expect(url).toBe(`https://api.example.com/pay/${code}`)
      expect(answer.headers.get('location')).toBe(`/payment-links/${code}`)
      expect((await find(code)).json).toEqual({
        'payment-link': { ...(answer.json['payment-link'] as object), tries: [] },
      })
    })

    it('is made with every field of a store', async () => {
      const sent = body({
        amount: '4999.90',
        usage: 'many',
        installments: '3',
        language: 'en-US',
        'expires-at': formatTimestamp(nowMs + 366 * DAY_MS),
        'success-url': 'https://shop.example/thanks',
      })
      expect((await send(sent)).json).toEqual({
        'payment-link': expect.objectContaining({
          ...sent,
          amount: 4999.9,
          installments: 3,
        }) as unknown,
      })
    })

    const at = (ms: number) => formatTimestamp(NOW_MS + ms)
    it.each<[string, string, unknown]>([
      ['reference', 'none', undefined],
      ['reference', 'one that leaves no room for a number', 'x'.repeat(57)],
      ['reference', 'a space', 'a b'],
      ['amount', 'none', undefined],
      ['amount', 'less than PIX takes', 0.99],
      ['amount', 'more than one may buy', 10_000.01],
      ['amount', 'three decimals', 1.001],
      ['amount', 'a list', [1]],
      ['description', 'none', ''],
      ['description', 'too much', 'x'.repeat(201)],
      ['methods', 'none', undefined],
      ['methods', 'an empty list', []],
      ['methods', 'no list', 'pix'],
      ['methods', 'one twice', ['pix', 'pix']],
      ['methods', 'another’s wallet', ['picpay']],
      ['methods', 'the API’s name', ['postpay']],
      ['methods', 'an inherited name', ['__proto__']],
      ['methods', 'numbers', [1, 2]],
      ['capture', 'a text', 'false'],
      ['capture', 'a number', 0],
      ['capture', 'an object', {}],
      ['usage', 'twice', 'twice'],
      ['installments', 'none', 0],
      ['installments', 'thirteen', 13],
      ['expires-at', 'now', at(0)],
      ['expires-at', 'the past', at(-HOUR_MS)],
      ['expires-at', 'a day too late', at(367 * DAY_MS)],
      ['expires-at', 'a day without time', '2026-12-01'],
      ['expires-at', 'no day', '2026-13-41T00:00:00.0-03:00'],
      ['expires-at', 'a number', NOW_MS + HOUR_MS],
      ['language', 'French', 'fr-FR'],
      ['success-url', 'no address', 'shop.example'],
      ['success-url', 'a script', 'javascript:alert(1)'],
      ['success-url', 'a password', 'https://a:b@shop.example'],
      ['notification-url', 'none', undefined],
      ['notification-url', 'an address of a private net', 'http://10.0.0.1/'],
    ])('refuses %s: %s', async (property, _, value) => {
      const answer = await send(body({ [property]: value }))
      expect(answer).toMatchObject({ status: 400, codes: [90501] })
      expect(failuresOf(answer).map(([of]) => of)).toEqual([property])
    })

    it('lists all failures at once, in the order of the fields', async () => {
      const answer = await send({ usage: 'twice', amount: 1, methods: ['x'] })
      expect(failuresOf(answer)).toEqual([
        ['reference', 'required'],
        ['description', 'required'],
        ['methods', 'invalid'],
        ['usage', 'invalid'],
        ['notification-url', 'required'],
      ])
    })

    it.each([['['], ['null'], ['[]'], ['"x"'], ['{"a":1']])('refuses the body %j', async (text) => {
      expect(await send(text)).toMatchObject({ status: 400 })
    })

    it('masks a card number in what is sold', async () => {
      const { description } = await make({ description: 'Café 4111 1111 1111 1111' })
      expect(description).not.toContain('1111 1111')
    })

    it('takes a smaller amount by other methods', async () => {
      expect((await make({ amount: 0.01, methods: ['boleto'] })).amount).toBe(0.01)
      expect((await send(body({ amount: 0.19, methods: ['boleto', 'credit-card'] }))).json).toEqual(
        {
          errors: [expect.objectContaining({ property: 'amount', minimum: 0.2 })],
        },
      )
    })

    it('refuses by name each method that cannot be opened', async () => {
      const pix = await openPixLinks(engine, { rails: { ...TEST_RAILS, opens: () => false } })
      const answer = await pix.test.send('POST', '/payment-links', { body: body() })
      expect(answer).toMatchObject({ status: 422, codes: [210601, 210601] })
      expect(failuresOf(answer)).toEqual([
        ['methods[2]', 'available'],
        ['methods[3]', 'available'],
      ])
      await pix.gateway.saveMerchant(OTHER_STORE)
      const ofOther = await pix.test.send('POST', '/payment-links', {
        body: body({ methods: ['pix'] }),
        merchant: OTHER_STORE,
      })
      expect(failuresOf(ofOther)).toEqual([['methods[0]', 'available']])
      await pix.test.close()
    })

    it('refuses a reference that a link or a transaction has', async () => {
      const sent = body()
      await makeLink(test, sent)
      expect(await send(sent)).toMatchObject({ status: 409, codes: [90503] })
      await makeLink(test, sent, OTHER_STORE)
      await test.send('POST', '/transactions', { body: railRequest('order-1', 'pix') })
      const answer = await send(linkRequest('order-1'))
      expect(answer).toMatchObject({ status: 409, codes: [90503] })
      expect(failuresOf(answer)).toEqual([['reference', 'unique']])
    })

    it('lets one of many requests with one reference make a link', async () => {
      const sent = body()
      const before = await count()
      const answers = await Promise.all(Array.from({ length: 5 }, () => send(sent)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
      expect((await count()) - before).toBe(1)
    })

    it('makes one link of a request that is sent again under its key', async () => {
      const sent = body()
      const headers = { 'idempotency-key': `key-${links}` }
      const first = await send(sent, headers)
      const again = await send(sent, headers)
      expect(again.json).toEqual(first.json)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.headers.get('location')).toBe(first.headers.get('location'))
      expect(await send(body(), headers)).toMatchObject({ status: 409, codes: [90012] })
    })

    it('finds the link of a request that died before its answer', async () => {
      const sent = body()
      const headers = { 'idempotency-key': `key-${links}` }
      const { idempotency } = test.parts
      const kept = vi.spyOn(idempotency, 'keepResponse').mockRejectedValueOnce(new Error('killed'))
      expect((await send(sent, headers)).status).toBe(500)
      kept.mockRestore()
      nowMs += HOUR_MS
      expect((await send(sent, headers)).status).toBe(201)
      nowMs = NOW_MS
    })

    describe('of another store', () => {
      it('is not there', async () => {
        const { code } = await make()
        expect(await find(code, OTHER_STORE)).toMatchObject({ status: 404, codes: [90502] })
        expect(await revoke(code, OTHER_STORE)).toMatchObject({ status: 404, codes: [90502] })
        expect((await find(code)).json).toMatchObject({ 'payment-link': { status: 'PAYABLE' } })
        expect(await test.room.paymentLinks.find(OTHER_STORE.id, code)).toBeUndefined()
        expect(await test.room.paymentLinks.revoke(OTHER_STORE.id, code, 'api')).toBe('not-found')
      })

      it.each([['x'], ['%00'], ['A'.repeat(22)], ['%27or%271'], ['4111111111111111']])(
        'nor is %s',
        async (code) => {
          expect(await find(code)).toMatchObject({ status: 404, codes: [90502] })
          expect(await revoke(code)).toMatchObject({ status: 404, codes: [90502] })
        },
      )
    })

    describe('found', () => {
      it('has its tries, those alone of which a transaction came, newest first', async () => {
        const { code } = await make({ usage: 'many' })
        await test.room.paymentPage.pay(code, orderOf('credit-card'))
        await test.room.paymentPage.pay(code, orderOf('boleto'))
        const { json } = await find(code)
        const { reference, tries } = json['payment-link'] as LinkElement & { tries: unknown[] }
        expect(tries).toEqual([
          {
            'transaction-code': expect.stringMatching(/^\d+$/) as unknown,
            reference: `${reference}-2`,
            method: 'boleto',
            status: 'PENDING',
            'date-created': formatTimestamp(nowMs),
          },
          expect.objectContaining({ reference: `${reference}-1`, status: 'COMPLETE' }),
        ])
      })
    })

    describe('listed', () => {
      const listed = async (query: string, merchant = LISTER) =>
        (await test.send('GET', `/payment-links${query}`, { merchant })).json
      const LISTER: Merchant = { ...MERCHANT, id: 'store-3' }
      const references = async (query: string) =>
        ((await listed(query))['payment-links'] as LinkElement[]).map(({ reference }) => reference)
      beforeAll(async () => {
        await test.gateway.saveMerchant(LISTER)
        const of = (reference: string, over: Record<string, unknown> = {}) => {
          nowMs += 1000
          return makeLink(test, linkRequest(reference, over), LISTER)
        }
        await of('payable')
        const paid = await of('paid')
        await of('expired', { 'expires-at': formatTimestamp(nowMs + 10_000) })
        const revoked = await of('revoked')
        const paidOften = await of('many', { usage: 'many' })
        for (const { code } of [paid, paidOften])
          await test.room.paymentPage.pay(code, orderOf('credit-card'))
        for (const { code } of [paid, revoked]) await revoke(code, LISTER)
        nowMs += HOUR_MS
      })

      it('newest first, page by page', async () => {
        const all = ['many', 'revoked', 'expired', 'paid', 'payable']
        expect(await references('')).toEqual(all)
        expect(await references('?max-page-results=2&page=2')).toEqual(all.slice(2, 4))
        expect(await listed('?max-page-results=2&page=3')).toMatchObject({
          metadata: { found: '5', 'page-results': 1, 'current-page': 3, 'total-pages': 3 },
        })
        expect(await references('?page=9')).toEqual([])
      })

      it.each([
        ['PAYABLE', ['many', 'payable']],
        ['PAID', ['paid']],
        ['EXPIRED', ['expired']],
        ['REVOKED', ['revoked']],
      ])('by the status %s, which each of them has', async (status, found) => {
        expect(await references(`?status=${status}`)).toEqual(found)
        for (const one of (await listed(`?status=${status}`))['payment-links'] as LinkElement[])
          expect(one.status).toBe(status)
      })

      it('by reference', async () => {
        expect(await references('?reference=paid')).toEqual(['paid'])
        expect(await references('?reference=paid&status=PAYABLE')).toEqual([])
      })

      it.each([
        ['?status=COMPLETE', 22119],
        ['?status=x', 22118],
        ['?page=0', 22115],
        ['?max-page-results=11', 22116],
        ['?reference=a%20b', 90019],
      ])('refuses %s', async (query, code) => {
        const answer = await test.send('GET', `/payment-links${query}`)
        expect(answer).toMatchObject({ status: 400, codes: [code] })
      })

      it('nothing of other stores', async () => {
        await test.gateway.saveMerchant({ ...MERCHANT, id: 'store-4' })
        expect(await listed('', { ...MERCHANT, id: 'store-4' })).toMatchObject({
          'payment-links': [],
          metadata: { found: '0' },
        })
      })
    })

    describe('revoked', () => {
      it('stays as it was, however often it is requested', async () => {
        const { code } = await make()
        const first = await revoke(code)
        expect(first).toMatchObject({ status: 200 })
        expect(first.json).toMatchObject({
          'payment-link': { status: 'REVOKED', 'date-revoked': formatTimestamp(nowMs) },
        })
        nowMs += HOUR_MS
        expect((await revoke(code)).json).toEqual(first.json)
        const without = await test.send('POST', `/payment-links/${code}/revocations`)
        expect(without.json).toEqual(first.json)
        const { link } = (await test.room.paymentLinks.find(MERCHANT.id, code))!
        expect(link).toMatchObject({ createdBy: 'api', revokedBy: 'api' })
      })

      it('is not the same as looked for, in what is signed', async () => {
        const { code } = await make()
        const answer = await test.send('DELETE', `/payment-links/${code}`)
        expect(answer).toMatchObject({ status: 405 })
      })
    })

    it('takes a signature by RFC 9421 once', async () => {
      const { code } = await make()
      for (const [target, json] of [
        ['/payment-links', body()],
        [`/payment-links/${code}/revocations`, {}],
      ] as const) {
        const text = JSON.stringify(json)
        const headers = await signedByLibrary('POST', target, { body: text, createdMs: nowMs })
        const signed = { body: text, headers: { 'content-type': 'application/json', ...headers } }
        const first = await sendSigned(test, ['POST', target], signed)
        expect(first.status).toBeLessThan(300)
        const again = await sendSigned(test, ['POST', target], signed)
        expect(again).toMatchObject({ codes: [90017] })
      }
    })

    describe('in the console', () => {
      const ACTOR = 'person:per_ana'
      it('are made as the API makes them, and once', async () => {
        const order = { body: body(), actor: ACTOR }
        const { paymentLinks } = test.room
        const made = await paymentLinks.create(MERCHANT.id, order)
        expect(made).toMatchObject({ link: { createdBy: ACTOR, usage: 'once' } })
        expect(await paymentLinks.create(MERCHANT.id, order)).toEqual({ ...made, state: 'payable' })
        const others = { body: order.body, actor: 'person:per_rui' }
        expect(await paymentLinks.create(MERCHANT.id, others)).toMatchObject({
          failures: [{ name: 'payment_link_reference_used' }],
        })
        expect(await paymentLinks.create(MERCHANT.id, { body: {}, actor: ACTOR })).toMatchObject({
          failures: [{ property: 'reference' }, {}, {}, {}, {}],
        })
      })

      it('are revoked by who does', async () => {
        const { code } = await make()
        expect(await test.room.paymentLinks.revoke(MERCHANT.id, code, ACTOR)).toBe('revoked')
        expect(await test.room.paymentLinks.find(MERCHANT.id, code)).toMatchObject({
          state: 'revoked',
          link: { createdBy: 'api', revokedBy: ACTOR },
        })
      })
    })
  })
}
