import { createHash } from 'node:crypto'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  REDIRECTS,
  type RailName,
  type TestGateway,
  openTestGateway,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import { createSandboxRails } from '../rail/sandbox-rails.js'
import { createWalletRoutes } from './wallet-routes.js'

const ORIGIN = 'https://sandbox.example.com'

for (const engine of TEST_ENGINES) {
  describe(`the wallet of the sandbox on ${engine.name}`, () => {
    let test: TestGateway
    beforeEach(async () => {
      test = await openTestGateway(engine, {
        environment: 'sandbox',
        rails: createSandboxRails({ publicUrl: ORIGIN }),
      })
      test.app.route('/', createWalletRoutes(test.gateway))
    })
    afterEach(() => test.close())

    const create = async (rail: RailName = 'pagseguro') => {
      const { json } = await test.send('POST', '/transactions', {
        body: railRequest('order-1', rail),
      })
      const transaction = json.transaction as Record<string, string>
      return { code: transaction.code, page: transaction['payment-url']!.replace(ORIGIN, '') }
    }
    const open = async (path: string, method = 'GET'): Promise<Response> =>
      await test.app.request(path, { method })
    const statusOf = async (code: string | undefined): Promise<unknown> => {
      const { json } = await test.send('GET', `/transactions/${code}`)
      const result = json['transaction-result'] as { transactions: [Record<string, unknown>] }
      return result.transactions[0].status
    }

    it('shows the amount, the payee, and two ways out', async () => {
      const { page } = await create()
      const response = await open(page)
      expect(response.status).toBe(200)
      const html = await response.text()
      expect(html).toContain('<h1>PagSeguro</h1>')
      expect(html).toContain('<strong>Loja Um</strong>')
      expect(html).toContain('R$ 100,00')
      expect(html).toContain(`<form method="post" action="${page}/pay">`)
      expect(html).toContain(`<form method="post" action="${page}/cancel">`)
    })

    it('completes the transaction of a payer who pays, and leads to the shop’s success', async () => {
      const { code, page } = await create()
      expect(await statusOf(code)).toBe('PENDING')
      const response = await open(`${page}/pay`, 'POST')
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe(REDIRECTS.success)
      expect(await statusOf(code)).toBe('COMPLETE')
    })

    it('cancels the transaction of a payer who cancels, and leads to the shop’s failure', async () => {
      const { code, page } = await create()
      const response = await open(`${page}/cancel`, 'POST')
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe(REDIRECTS.fail)
      expect(await statusOf(code)).toBe('CANCELLED')
    })

    it.each([
      ['pay', 'cancel', REDIRECTS.success, 'COMPLETE'],
      ['pay', 'pay', REDIRECTS.success, 'COMPLETE'],
      ['cancel', 'pay', REDIRECTS.fail, 'CANCELLED'],
      ['cancel', 'cancel', REDIRECTS.fail, 'CANCELLED'],
    ])('lets %s stand when %s follows', async (first, second, location, status) => {
      const { code, page } = await create()
      await open(`${page}/${first}`, 'POST')
      const again = await open(`${page}/${second}`, 'POST')
      expect(again.status).toBe(303)
      expect(again.headers.get('location')).toBe(location)
      expect(await statusOf(code)).toBe(status)
      const html = await (await open(page)).text()
      expect(html).not.toContain('<form')
      expect(html).toContain(status === 'COMPLETE' ? 'Já pago' : 'Este pagamento foi encerrado')
    })

    it('lets one of two answers at once win, and redirects both to its outcome', async () => {
      const { code, page } = await create()
      const answers = await Promise.all(
        ['pay', 'cancel', 'pay', 'cancel'].map((answer) => open(`${page}/${answer}`, 'POST')),
      )
      const places = new Set(answers.map(({ headers }) => headers.get('location')))
      const place = (await statusOf(code)) === 'COMPLETE' ? REDIRECTS.success : REDIRECTS.fail
      expect([...places]).toEqual([place])
    })

    it('pays nothing when its page is only opened', async () => {
      const { code, page } = await create()
      await open(page)
      await open(`${page}/pay`)
      await open(`${page}/pay`, 'HEAD')
      expect(await statusOf(code)).toBe('PENDING')
    })

    it('allows its own style and the shop’s forms, and nothing else', async () => {
      const { page } = await create()
      const response = await open(page)
      const html = await response.text()
      const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect(response.headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; ` +
          `frame-ancestors 'none'; form-action 'self' https://shop.example`,
      )
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(html).not.toMatch(/<script|\son\w+=|\sstyle=/i)
    })

    it('shows a store’s name with HTML as text', async () => {
      await test.gateway.saveMerchant({ ...MERCHANT, name: '<img src=x onerror=alert(1)>' })
      const { page } = await create('paypal')
      const html = await (await open(page)).text()
      expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
      expect(html).not.toContain('<img')
    })

    it('has no page for a boleto', async () => {
      const { page } = await create('boleto')
      expect((await open(page.replace('/b/', '/w/'))).status).toBe(404)
      expect((await open(`${page.replace('/b/', '/w/')}/pay`, 'POST')).status).toBe(404)
    })
  })

  describe(`a wallet that is not there on ${engine.name}`, () => {
    let test: TestGateway
    beforeAll(async () => {
      test = await openTestGateway(engine)
      test.app.route('/', createWalletRoutes(test.gateway))
    })
    afterAll(() => test.close())

    it.each([
      ['GET', '/w/AAAAAAAAAAAAAAAA'],
      ['POST', '/w/AAAAAAAAAAAAAAAA/pay'],
      ['POST', '/w/AAAAAAAAAAAAAAAA/cancel'],
      ['POST', '/w/AAAAAAAAAAAAAAAA/refund'],
      ['GET', '/w/%00'],
      ['POST', '/w/a%00b/pay'],
      ['GET', '/w/'],
    ])('answers %s %s with 404 in the one error shape', async (method, path) => {
      const response = await test.app.request(path, { method })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({
        errors: [{ code: 90001, description: 'route_not_found' }],
      })
    })
  })
}
