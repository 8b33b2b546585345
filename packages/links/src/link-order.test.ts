import { HOUR_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PaymentOrder } from './model/payment-page.js'
import { payLink } from './link-payment.js'
import { type LinkGateway, linkPartsOn, openLinks } from './links.fixture.js'
import { linkRequest, makeLink, orderOf } from './payment-link.fixture.js'
import { APPROVED, MERCHANT, NOW_MS, withParts } from '../../gateway/src/gateway.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`an order of a payer on ${engine.name}`, () => {
    let test: LinkGateway
    let links = 0
    beforeAll(async () => {
      test = await openLinks(engine)
    })
    afterAll(() => test.close())
    const link = async (over: Record<string, unknown> = {}): Promise<string> =>
      (await makeLink(test, linkRequest(`link-${++links}`, over))).code
    const pay = (of: string, order: PaymentOrder) => test.room.paymentPage.pay(of, order)
    const tries = async (of: string) =>
      (await test.room.paymentLinks.find(MERCHANT.id, of))!.tries.toReversed()
    const tried = async (of: string, order: PaymentOrder) => {
      const result = await pay(of, order)
      return result.kind === 'try' ? await test.room.paymentPage.findTry(of, result.tryId) : result
    }

    describe('is judged for', () => {
      const { payer } = orderOf('pix')
      it.each<[string, Partial<PaymentOrder>, string, string?]>([
        ['a name of one word', { payer: { ...payer, name: 'Maria' } }, 'payer.name'],
        ['an empty name', { payer: { ...payer, name: ' ' } }, 'payer.name'],
        ['no e-mail', { payer: { ...payer, email: '' } }, 'payer.email'],
        ['a card number', { payer: { ...payer, email: '4111111111111111@a.com' } }, 'payer.email'],
        ['a wrong CPF', { payer: { ...payer, document: '1' } }, 'payer.document.number'],
        [
          'a long document',
          { payer: { ...payer, document: '9'.repeat(99) } },
          'payer.document.number',
        ],
        ['a short phone', { payer: { ...payer, phone: '123' } }, 'payer.phone-number'],
        ['a date to come', { payer: { ...payer, birthDate: '2999-01-01' } }, 'payer.birth-date'],
        ['no address on the net', { address: 'x' }, 'payer.ip'],
        ['no form', { formId: '' }, 'form'],
        ['a form of our own', { formId: '\0' }, 'form'],
        ['a method of others', { method: 'paypal' }, 'charge[0].payment-method.sub-type'],
        ['no method', { method: '__proto__' }, 'charge[0].payment-method.sub-type'],
        ...(['street', 'number', 'complement'] as const).map(
          (part): [string, Partial<PaymentOrder>, string, string] => {
            const address = { ...orderOf('boleto').payer.address!, [part]: 'x'.repeat(101) }
            const name = `a ${part} that no bank takes`
            return [name, { payer: { ...payer, address } }, `payer.address.${part}`, 'boleto']
          },
        ),
        ['no card', {}, 'charge[0].payment-info', 'credit-card'],
        [
          'too many installments',
          { card: { token: 'a.b', installments: 4 } },
          'charge[0].payment-info.installments',
          'credit-card',
        ],
        [
          'no token',
          { card: { token: '', installments: 1 } },
          'charge[0].payment-info.token',
          'credit-card',
        ],
        [
          'no installments',
          { card: { token: 'a.b', installments: 0 } },
          'charge[0].payment-info.installments',
          'credit-card',
        ],
      ])('%s, and opens no try', async (_, over, property, method = 'pix') => {
        const of = await link({ installments: 3 })
        const result = await pay(of, { ...orderOf(method), card: undefined, ...over })
        if (result.kind !== 'invalid') throw new Error(result.kind)
        expect(result.failures.map((failure) => failure.property)).toEqual([property])
        expect(await tries(of)).toEqual([])
      })

      it('all fields at once', async () => {
        const of = await link()
        const wrong = { name: 'x', email: 'x', document: 'x' }
        const result = await pay(of, orderOf('boleto', { payer: wrong }))
        if (result.kind !== 'invalid') throw new Error(result.kind)
        expect(result.failures.map(({ property }) => property)).toEqual([
          'payer.name',
          'payer.email',
          'payer.document.number',
        ])
      })

      it('a token that the vault does not take: the payer sends another card', async () => {
        const of = await link()
        test.answerCards(() => Promise.resolve({ kind: 'refused', reason: 'token_invalid' }))
        expect(await pay(of, orderOf('credit-card'))).toMatchObject({
          kind: 'invalid',
          failures: [{ property: 'charge[0].payment-info.token' }],
        })
        test.answerCards(() => Promise.resolve(APPROVED))
        expect(await tried(of, orderOf('credit-card'))).toMatchObject({ state: 'paid' })
      })

      it('a company, an address abroad of nothing, a phone with its country', async () => {
        const of = await link()
        const company = { ...payer, name: 'Loja Dois', document: '11.222.333/0001-81' }
        await pay(of, orderOf('boleto', { payer: { ...company, phone: '+1 (212) 555-0123' } }))
        const [found] = await tries(of)
        expect(found!.transaction).toMatchObject({ payerDocument: '11222333000181' })
      })

      it('a CPF with dashes of other kinds', async () => {
        const of = await link()
        const document = '529.982.247\u201125'
        await pay(of, orderOf('pix', { payer: { ...payer, document } }))
        const [found] = await tries(of)
        expect(found!.transaction).toMatchObject({ payerDocument: '52998224725' })
      })

      it('a purchase limit as a refusal', async () => {
        const of = await link()
        const limited = withParts(test.parts, {
          purchaseLimits: { ...test.parts.purchaseLimits, perTransactionMinor: minorUnits(5_000) },
        })
        const result = await payLink(linkPartsOn(limited), of, orderOf('pix'))
        expect(result).toEqual({ kind: 'refused', name: 'payment_exceed_limits' })
        expect(await tried(of, orderOf('pix'))).toMatchObject({ state: 'waiting' })
      })
    })

    it('waits while the card’s bank asks its holder, who comes back to the try', async () => {
      const of = await link()
      const action = { method: 'GET', url: 'https://bank.example/ask', fields: {} } as const
      const authentication = { action, expiresAtMs: NOW_MS + HOUR_MS }
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'pending', authentication }))
      const order = orderOf('credit-card')
      const shown = await tried(of, order)
      expect(shown).toMatchObject({ state: 'authenticating' })
      expect(await pay(of, orderOf('pix'))).toEqual({ kind: 'busy' })
      const [{ transaction, linkTry }] = (await tries(of)) as [Awaited<ReturnType<typeof tries>>[0]]
      const url = order.returnUrl(linkTry.id)
      expect(JSON.parse(transaction!.requestJson)).toMatchObject({
        transaction: { 'redirect-urls': { success: url, fail: url } },
      })
    })
  })
}
