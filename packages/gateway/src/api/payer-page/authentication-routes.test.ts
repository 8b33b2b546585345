import { createHash } from 'node:crypto'
import { type AuthenticationRequest, type CardAnswer, HOUR_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  NOW_MS,
  REDIRECTS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import { applyCardChanges } from '../../payment/card-return-service.js'

const ORIGIN = 'https://api.example.com'
const GET = { method: 'GET', url: 'https://bank.example/ask?MD=m0&a=<b>', fields: {} } as const
const POST = { method: 'POST', url: 'https://bank.example/ask', fields: { MD: 'm"0' } } as const
const PENDING = { ...APPROVED, outcome: 'pending' } as const
const asking = (action: typeof GET | typeof POST): CardAnswer => ({
  ...PENDING,
  authentication: { action, expiresAtMs: NOW_MS + HOUR_MS },
})
const DECLINED: CardAnswer = {
  ...APPROVED,
  outcome: 'declined',
  decline: { reason: 'authentication_required', retry: { kind: 'never' } },
}

for (const engine of TEST_ENGINES) {
  describe(`the page of a card whose bank asks its holder, on ${engine.name}`, () => {
    let test: TestGateway
    let asked: AuthenticationRequest[]
    let answer: CardAnswer | undefined | Error
    beforeEach(async () => {
      test = await openTestGateway(engine)
      asked = []
      answer = asking(GET)
      test.answerCards(() => Promise.resolve(asking(GET)))
      test.authenticateCards((request) => {
        asked.push(request)
        return answer instanceof Error ? Promise.reject(answer) : answer
      })
    })
    afterEach(() => test.close())

    const request = (reference: string, urls?: typeof REDIRECTS) => {
      const body = cardRequest(reference)
      const more = urls === undefined ? {} : { 'redirect-urls': urls }
      return { ...body, transaction: { ...body.transaction, ...more } }
    }
    const create = async (urls?: typeof REDIRECTS) => {
      const body = request('order-1', urls)
      const { status, json } = await test.send('POST', '/transactions', { body })
      const transaction = json.transaction as Record<string, string>
      const path = transaction['authentication-url']?.replace(ORIGIN, '') ?? ''
      return { status, transaction, path, code: transaction.code ?? '' }
    }
    const open = async (path: string, init?: RequestInit) => await test.app.request(path, init)
    const bring = (path: string, result = 'r1') => open(`${path}/return?redirectResult=${result}`)
    const statusOf = async (code: string) => {
      const { json } = await test.send('GET', `/transactions/${code}`)
      const result = json['transaction-result'] as { transactions: [Record<string, unknown>] }
      return result.transactions[0].status
    }
    const notified = async () =>
      (await test.database.reader.selectFrom('notifications').select('status').execute()).map(
        ({ status }) => status,
      )

    it('is in the response to a pending transaction, and has a short address', async () => {
      const { status, transaction, path, code } = await create()
      expect([status, transaction.status]).toEqual([201, 'PENDING'])
      expect(path).toMatch(/^\/a\/[A-Za-z0-9]{16}$/)
      expect(await statusOf(code)).toBe('PENDING')
      expect(await notified()).toEqual([])
      expect(test.orders).toMatchObject([{ authenticationReturnUrl: `${ORIGIN}${path}/return` }])
      expect(JSON.stringify(transaction)).not.toContain('bank.example')
    })

    it('is absent if no payer can return', async () => {
      const body = request('order-2')
      const agreed = body.cart.map((item) => ({ ...item, type: 'subscription' }))
      const info = { installments: 1, code: 'SAVEDCARD00000000000000000000001' }
      const pay = async (reference: string, more = {}) => {
        const transaction = { ...body.transaction, reference }
        const charge = body.charge.map((one) => ({ ...one, 'payment-info': { ...info, ...more } }))
        const order = { ...body, transaction, cart: agreed, charge }
        await test.send('POST', '/transactions', { body: order })
      }
      await pay('order-2')
      // The shop charges by agreement, even with a code that was typed.
      const token = `eyJ..${'i'.repeat(16)}.c.${'t'.repeat(22)}`
      await pay('order-3', { 'security-code-token': token })
      expect(test.orders.map((order) => 'authenticationReturnUrl' in order)).toEqual([false, false])
    })

    it.each([
      ['a link', GET, `href="https://bank.example/ask?MD=m0&amp;a=&lt;b&gt;"`, "'none'"],
      [
        'a form',
        POST,
        '<input type="hidden" name="MD" value="m&quot;0" />',
        'https: https://bank.example',
      ],
    ] as const)('leads to the bank by %s, without a script', async (_, action, link, targets) => {
      const { path } = await create()
      answer = asking(action)
      const response = await open(path)
      expect(response.status).toBe(200)
      const html = await response.text()
      expect(html).toContain(link)
      expect(html).toContain('R$ 100,00')
      expect(html).not.toMatch(/<script|\son\w+=|\sstyle=/i)
      expect(html).toContain('<meta name="robots" content="noindex" />')
      const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect(response.headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; ` +
          `frame-ancestors 'none'; form-action ${targets}`,
      )
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    })

    it.each([
      ['COMPLETE', APPROVED, REDIRECTS.success, 'Pagamento aprovado'],
      ['CANCELLED', DECLINED, REDIRECTS.fail, 'Pagamento não aprovado'],
    ] as const)('ends %s by the acquirer’s word', async (status, end, address, said) => {
      const { path, code } = await create(REDIRECTS)
      answer = end
      const response = await bring(path)
      expect([response.status, response.headers.get('location')]).toEqual([303, address])
      expect(asked).toMatchObject([{ transactionCode: code, result: 'r1' }])
      expect(await statusOf(code)).toBe(status)
      expect(await notified()).toEqual([status])
      // Again, and without a result: nothing changes, and the vault is not called.
      for (const again of [await bring(path, 'r2'), await open(`${path}/return`)])
        expect(again.headers.get('location')).toBe(address)
      expect(asked).toHaveLength(1)
      const html = await (await open(path)).text()
      expect(html).toContain(said)
      expect(html).toContain(`href="${address}"`)
      expect(await notified()).toEqual([status])
    })

    it('takes the result of a form as well, and keeps none in an address', async () => {
      const { path } = await create()
      answer = APPROVED
      const body = new URLSearchParams({ redirectResult: 'of-a-form' })
      const response = await open(`${path}/return`, { method: 'POST', body })
      expect(response.headers.get('location')).toBe(path)
      expect(asked).toMatchObject([{ result: 'of-a-form' }])
      expect(await (await open(path)).text()).toContain('Você já pode fechar esta página')
    })

    it('changes nothing by what the acquirer does not confirm', async () => {
      const { path, code } = await create(REDIRECTS)
      for (const result of ['forged', 'x'.repeat(20_001)]) {
        const response = await bring(path, result)
        expect(response.headers.get('location')).toBe(path)
      }
      // A result that is too long is not forwarded.
      expect(asked.map(({ result }) => result)).toEqual(['forged', undefined])
      expect(await statusOf(code)).toBe('PENDING')
      expect(await (await open(path)).text()).toContain('Ir ao banco')
    })

    it.each([
      ['does not answer', new Error('the vault is away')],
      ['knows no end yet', PENDING],
      ['knows nothing of it', undefined],
    ])('waits by itself while the vault %s', async (_, given) => {
      const { path, code } = await create()
      answer = given
      expect((await bring(path)).headers.get('location')).toBe(path)
      const response = await open(path)
      expect(await response.text()).toContain('Estamos confirmando o pagamento')
      expect(response.headers.get('refresh')).toBe('5')
      expect(await statusOf(code)).toBe('PENDING')
      answer = APPROVED
      expect(await (await open(path)).text()).toContain('Pagamento aprovado')
    })

    it('ends as well by what the vault reports later, whichever comes first', async () => {
      const { path, code } = await create()
      const settled = { kind: 'settled', answer: APPROVED } as const
      const change = { id: 'c1', transactionCode: code, atMs: NOW_MS, change: settled }
      test.changes.push(change)
      await applyCardChanges(test.parts, AbortSignal.timeout(SECOND_MS))
      expect(await statusOf(code)).toBe('COMPLETE')
      expect(await (await open(path)).text()).toContain('Pagamento aprovado')
      answer = APPROVED
      await bring(path)
      expect(await notified()).toEqual(['COMPLETE'])
    })

    it('is offered again to a request that died unanswered', async () => {
      const headers = { 'idempotency-key': 'key-1' }
      const body = request('order-3')
      const first = await test.send('POST', '/transactions', { body, headers })
      const again = await test.send('POST', '/transactions', { body, headers })
      expect(again.json).toEqual(first.json)
      expect(again.text).toContain('authentication-url')
    })

    it('is offered where an answer that was lost turns out to wait', async () => {
      test.answerCards(() => Promise.reject(new Error('lost')))
      const { transaction, code } = await create()
      expect(transaction).not.toHaveProperty('authentication-url')
      const row = await test.parts.transactions.findByReference('store-1', 'order-1')
      test.recallCards(() => asking(GET))
      const path = `/a/${row?.publicId ?? ''}`
      answer = { ...PENDING, outcome: 'unknown' }
      expect(await (await open(path)).text()).toContain('Estamos confirmando')
      answer = APPROVED
      await bring(path)
      expect(await statusOf(code)).toBe('COMPLETE')
    })

    it.each([
      ['GET', '/a/AAAAAAAAAAAAAAAA', 404],
      ['GET', '/a/AAAAAAAAAAAAAAAA/return?redirectResult=r', 404],
      ['POST', '/a/AAAAAAAAAAAAAAAA/return', 404],
      ['GET', '/a/%00', 404],
      ['POST', '/a/AAAAAAAAAAAAAAAA', 405],
    ])('answers %s %s with %d', async (method, path, status) => {
      expect((await open(path, { method })).status).toBe(status)
      expect(asked).toEqual([])
    })

    it('shows that an amount is only reserved, and what was captured of it', async () => {
      const { path } = await create()
      const times = { authorizedAtMs: NOW_MS, beforeMs: NOW_MS, endsAtMs: NOW_MS }
      const become = async (status: 'PENDING' | 'COMPLETE', state: object) => {
        const capture = JSON.stringify({ ...times, ...state })
        await test.database.transact(async (trx) => {
          await trx.updateTable('transactions').set({ status, open: 0, capture }).execute()
        })
        return await (await open(path)).text()
      }
      const reserved = await become('PENDING', { state: 'authorized' })
      expect(reserved).toContain('Valor reservado no seu cartão')
      expect(reserved).not.toContain('Pagamento aprovado')
      const sums = { amountMinor: 1_000, chargedMinor: 1_000 }
      const captured = await become('COMPLETE', { state: 'captured', ...sums })
      expect(captured).toContain('Pagamento aprovado')
      expect(captured).toContain('R$ 10,00')
    })

    it('shows no boleto', async () => {
      const body = railRequest('order-4', 'boleto')
      const { json } = await test.send('POST', '/transactions', { body })
      const { 'payment-url': page = '' } = json.transaction as Record<string, string>
      const path = page.replace(ORIGIN, '').replace('/b/', '/a/')
      expect((await open(path)).status).toBe(404)
    })

    it('logs neither what was brought back nor where the payer goes', async () => {
      const { path } = await create()
      answer = new Error('the vault is away')
      await bring(path, 'secret-result')
      expect(test.logged.join()).toContain('the vault did not answer an authentication')
      expect(test.logged.join()).not.toMatch(/secret-result|bank\.example/)
    })
  })
}
