import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT } from '../../../gateway/src/gateway.fixture.js'
import { STORE, type TestSandbox, openTestSandbox } from '../../../sandbox/src/sandbox.fixture.js'
import type { LinksRoom } from '../create-links.js'
import { withLinks } from '../links.fixture.js'
import { LINK_FIELDS, type TypedLink, emptyLink, fieldOf, linkBody } from './link-order.js'

const OTHER = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }
const ACTOR = 'person:per_ana'

// The gateway's own suites run the statements on both engines.
const ENGINES = TEST_ENGINES.filter(({ name }) => name === 'sqlite')

for (const engine of ENGINES) {
  describe(`what the console asks of links on ${engine.name}`, () => {
    let test: TestSandbox & { readonly room: LinksRoom }
    beforeEach(async () => {
      test = withLinks(await openTestSandbox(engine))
      await test.gateway.saveMerchant(OTHER)
    })
    afterEach(() => test.close())

    const links = () => test.room.paymentLinks
    const typed = async (more: Partial<TypedLink> = {}): Promise<TypedLink> => ({
      ...emptyLink({
        installmentsMax: 12,
        nowMs: test.sandbox.clock.now(),
        methods: await links().methods(STORE),
        notificationUrl: 'https://shop.example/notifications',
        language: 'pt-BR',
      }),
      amount: '1.234,56',
      description: 'Two cups',
      ...more,
    })
    const create = (link: TypedLink, actor = ACTOR) =>
      links().create(STORE, { body: linkBody(link), actor })
    const made = async (more: Partial<TypedLink> = {}) => {
      const result = await create(await typed(more))
      if (!('link' in result)) throw new Error(JSON.stringify(result.failures))
      return result.link
    }
    const payer = { name: 'Maria de Souza', email: 'maria@example.com', document: '52998224725' }
    const pay = async (linkId: string, formId: string): Promise<void> => {
      const order = { formId, method: 'pix', address: '203.0.113.7', payer, returnUrl: () => '' }
      expect(await test.room.paymentPage.pay(linkId, order)).toMatchObject({ kind: 'try' })
    }

    it('accepts the initial form with an amount and a description', async () => {
      const link = await made()
      expect(link).toMatchObject({ amountMinor: 123_456, usage: 'once', createdBy: ACTOR })
      expect(link.methods).toEqual(['credit-card', 'pix', 'boleto', 'pagseguro', 'paypal'])
      expect(new Date(link.expiresAtMs ?? 0).toISOString()).toMatch(/T02:59:00.000Z$/)
      expect(await made({ 'expires-at': '', usage: 'many' })).toMatchObject({
        expiresAtMs: undefined,
        usage: 'many',
      })
    })

    it('makes one link of a form that is sent twice, and none of another’s reference', async () => {
      const link = await typed()
      const first = await create(link)
      expect(await create(link)).toEqual(first)
      const [other, changed] = [
        await create(link, 'store'),
        await create({ ...link, usage: 'many' }),
      ]
      for (const result of [other, changed])
        expect(result).toMatchObject({
          failures: [{ property: 'reference', constraint: 'unique' }],
        })
      expect((await links().list(STORE, { limit: 20 })).items).toHaveLength(1)
    })

    it.each([
      ['amount', ''],
      ['amount', 'a lot'],
      ['amount', '0,99'],
      ['amount', '999.999.999,00'],
      ['description', ''],
      ['description', 'x'.repeat(201)],
      ['reference', 'an order'],
      ['methods', ''],
      ['methods', 'sofort'],
      ['installments', '13'],
      ['usage', 'twice'],
      ['expires-at', '2020-01-01T00:00'],
      ['expires-at', 'tomorrow'],
      ['language', 'tlh'],
      ['success-url', 'shop'],
      ['notification-url', ''],
      ['notification-url', 'https://user:word@shop.example/'],
    ] as const)('refuses %s %j at its field', async (field, text) => {
      const result = await create(await typed({ [field]: text }))
      expect('failures' in result && result.failures.map(fieldOf)).toEqual([field])
    })

    it('refuses all fields at once, each by its name', async () => {
      const nothing = Object.fromEntries(LINK_FIELDS.map((name) => [name, '']))
      const result = await create({ ...(nothing as TypedLink), language: 'tlh', usage: 'twice' })
      expect('failures' in result && new Set(result.failures.map(fieldOf))).toEqual(
        new Set([
          'reference',
          'amount',
          'description',
          'methods',
          'usage',
          'language',
          'notification-url',
        ]),
      )
    })

    it('counts tries and payments, and leads from a payment to its link', async () => {
      const [link, untried] = [await made({ usage: 'many' }), await made()]
      for (const form of ['form-1', 'form-2', 'form-3']) await pay(link.id, form)
      const found = (await links().find(STORE, link.id))?.tries ?? []
      const codes = found.map(({ transaction }) => String(transaction?.code))
      await test.gateway.backOffice.changeStatus(STORE, codes[0]!, 'COMPLETE')
      const { items } = await links().list(STORE, { limit: 20 })
      expect(new Map(items.map((one) => [one.link.id, [one.tries, one.paid]]))).toEqual(
        new Map([
          [link.id, [3, 1]],
          [untried.id, [0, 0]],
        ]),
      )
      for (const code of codes)
        expect(await links().ofPayment(STORE, code)).toMatchObject({ id: link.id })
    })

    it('finds nothing of another store, nor what no link has', async () => {
      const link = await made()
      await pay(link.id, 'form-1')
      const [one] = (await links().find(STORE, link.id))?.tries ?? []
      const code = String(one?.transaction?.code)
      expect(await links().find(OTHER.id, link.id)).toBeUndefined()
      expect(await links().ofPayment(OTHER.id, code)).toBeUndefined()
      expect(await links().revoke(OTHER.id, link.id, ACTOR)).toBe('not-found')
      expect((await links().list(OTHER.id, { limit: 20 })).items).toEqual([])
      for (const wrong of ['', '1', 'x', `${code}0`, '<script>'])
        expect(await links().ofPayment(STORE, wrong)).toBeUndefined()
      for (const wrong of ['', '1001', 'x'.repeat(22), '__proto__'])
        expect(await links().find(STORE, wrong)).toBeUndefined()
      expect(await links().find(STORE, link.id)).toMatchObject({ state: 'payable' })
    })
  })
}
