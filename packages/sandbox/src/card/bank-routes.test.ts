import { createHash } from 'node:crypto'
import type { CardAnswer } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../../gateway/src/gateway.fixture.js'
import { bankPageOf } from './bank-page.js'
import { createBankRoutes } from './bank-routes.js'

for (const engine of TEST_ENGINES)
  describe(`the bank of a test card, on ${engine.name}`, () => {
    let test: TestGateway
    let answer: CardAnswer
    beforeEach(async () => {
      test = await openTestGateway(engine, { environment: 'sandbox' })
      test.app.route('/', createBankRoutes(test.gateway))
      test.answerCards(({ authenticationReturnUrl = '' }) => {
        const url = bankPageOf(authenticationReturnUrl)
        const authentication = {
          action: { method: 'GET', url, fields: {} } as const,
          expiresAtMs: NOW_MS + 1,
        }
        answer = { ...APPROVED, outcome: 'pending', authentication }
        return Promise.resolve(answer)
      })
      test.authenticateCards(() => answer)
    })
    afterEach(() => test.close())

    const create = async () => {
      const { json } = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      const { 'authentication-url': page = '' } = json.transaction as Record<string, string>
      const { pathname } = new URL(page)
      const waiting = await (await test.app.request(pathname)).text()
      return { pathname, bank: new URL(/href="([^"]+)"/.exec(waiting)?.[1] ?? '').pathname }
    }

    it('asks its holder whether to pay, with two answers and a way to leave', async () => {
      const { pathname, bank } = await create()
      expect(bank).toBe(`${pathname}/bank`)
      const response = await test.app.request(bank)
      const html = await response.text()
      expect(html).toContain('<strong>Loja Um</strong>')
      expect(html).toContain('R$ 100,00')
      for (const result of ['approved', 'failed'])
        expect(html).toContain(`href="${pathname}/return?redirectResult=${result}"`)
      expect(html).toContain('feche esta página')
      const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect(response.headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; ` +
          `frame-ancestors 'none'; form-action 'none'`,
      )
      expect(html).not.toMatch(/<script|\son\w+=|\sstyle=/i)
    })

    it('asks no question once the payment has ended', async () => {
      const { bank } = await create()
      answer = APPROVED
      expect(await (await test.app.request(bank)).text()).toContain('não espera mais')
    })

    it('shows a store’s name with HTML as text', async () => {
      await test.gateway.saveMerchant({ ...MERCHANT, name: '<img src=x onerror=alert(1)>' })
      const { bank } = await create()
      expect(await (await test.app.request(bank)).text()).not.toContain('<img')
    })

    it('has no page for what is not there', async () => {
      expect((await test.app.request('/a/AAAAAAAAAAAAAAAA/bank')).status).toBe(404)
    })
  })
