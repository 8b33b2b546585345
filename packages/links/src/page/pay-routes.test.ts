import { describe, expect, it } from 'vitest'
import type { PayResult } from '../model/payment-page.js'
import { LINK_ID, PAGE_URL, TRY_ID, openPaymentPage } from './payment-page.fixture.js'

const PATH = `/pay/${LINK_ID}`
const PAYER = { name: 'Maria da Silva', email: 'maria@example.com', document: '52998224725' }

describe('the page of a link', () => {
  it('shows who is paid, for what, how much, and every way to pay', async () => {
    const { status, html } = await openPaymentPage({}).get(PATH)
    expect(status).toBe(200)
    for (const text of [
      'Café Serra Azul',
      'Assinatura de café, novembro',
      'Pagar R$ 100,00',
      'Cartão de crédito',
      'PayPal',
      '2x de R$ 50,00, sem juros',
      '3x de R$ 35,35, total R$ 106,05 com juros',
      'Gerar boleto de R$ 100,00',
    ])
      expect(html).toContain(text)
  })

  it('of a link that only reserves says so before the payer pays', async () => {
    const link = { methods: ['credit-card'], isCapturedLater: true }
    const { html } = await openPaymentPage({ link }).get(PATH)
    expect(html).toContain(
      'Reservamos o valor no seu cartão agora; a cobrança só é feita quando a loja confirmar.',
    )
    expect(html).toContain('<span class="for-card">Reservar R$ 100,00</span>')
    const english = await openPaymentPage({ link: { ...link, language: 'en-US' } }).get(PATH)
    expect(english.html).toContain('You’re charged only when the store confirms.')
    expect((await openPaymentPage({}).get(PATH)).html).not.toContain('data-testid="reserved-now"')
  })

  it('asks for no choice where there is one way, and for nothing that it does not need', async () => {
    const { html } = await openPaymentPage({ link: { methods: ['pix'] } }).get(PATH)
    expect(html).toContain('<input type="hidden" name="method" value="pix"')
    for (const absent of ['type="radio"', 'zip-code', 'birth-date', 'fields.cofre', 'name="token"'])
      expect(html).not.toContain(absent)
  })

  it('marks each optional field', async () => {
    const { html } = await openPaymentPage({}).get(PATH)
    const notes = [...html.matchAll(/<label for="([^"]+)"(?:(?!<\/label>).)*opcional/gs)]
    expect(notes.map(([, name]) => name)).toEqual(['birth-date', 'complement'])
    for (const name of ['birth-date', 'complement'])
      expect(html).not.toMatch(new RegExp(`<input[^>]* name="${name}"[^>]* required`))
  })

  it('is in the link’s language, else the browser’s, else the chosen one', async () => {
    const english = { 'Accept-Language': 'en' }
    const languageOf = async (language: string, headers = {}) =>
      /<html lang="([^"]+)"/.exec(
        (await openPaymentPage({ link: { language } }).get(PATH, headers)).html,
      )?.[1]
    expect(await languageOf('pt-BR', english)).toBe('pt-BR')
    expect(await languageOf('en-US')).toBe('en')
    expect(await languageOf('es-ES', english)).toBe('en')
    expect(await languageOf('pt-BR', { Cookie: '__Host-pay_language=en' })).toBe('en')
  })

  it('answers below /pay and /pay-page alone: the API and its reference have the same origin', async () => {
    const page = openPaymentPage({})
    const addresses = [...(await page.get(PATH)).html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)]
    expect(addresses.length).toBeGreaterThan(3)
    for (const [, address = ''] of addresses) expect(address).toMatch(/^\/pay(-page)?\//)
    for (const foreign of ['/assets/base.css', '/language/en?to=/docs'])
      expect((await page.get(foreign)).status).toBe(404)
    expect((await page.get('/pay-page/language/en?to=/pay/x')).status).toBe(303)
  })

  it('draws a form of its own each time, which no browser fills in from before', async () => {
    const page = openPaymentPage({})
    const formOf = async () =>
      /name="form" value="([^"]+)" autocomplete="off"/.exec((await page.get(PATH)).html)?.[1]
    const first = await formOf()
    expect(first).toMatch(/^[\w-]{36}$/)
    expect(await formOf()).not.toBe(first)
  })

  it('loads only its own files and the vault’s fields, and forbids frames and search engines', async () => {
    const { headers, html } = await openPaymentPage({}).get(PATH)
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy.split('; ').toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      'frame-src https://vault.example',
      "img-src 'self'",
      "script-src 'self' https://vault.example",
      "style-src 'self'",
    ])
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(html).toContain('<meta name="robots" content="noindex, nofollow"/>')
    expect(html).toMatch(/<script id="card-library" src="[^"]+" integrity="sha384-x" crossorigin/)
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/)
  })

  it.each([
    ['reserved', 200, 'O valor já está reservado'],
    ['paid', 200, 'Este link já foi pago'],
    ['expired', 410, 'Este link expirou'],
    ['revoked', 410, 'Este link foi cancelado'],
  ] as const)('of a link that is %s has no form', async (state, status, title) => {
    const page = openPaymentPage({ link: { state } })
    const shown = await page.get(PATH)
    expect(shown.status).toBe(status)
    expect(shown.html).toContain(title)
    expect(shown.html).not.toContain('<form')
  })

  it('of no link is a page, too', async () => {
    for (const path of ['/pay/x', `${PATH}/x`, `${PATH}/${TRY_ID}/y`, '/pay/%00/%ff']) {
      const { status, html, headers } = await openPaymentPage({}).get(path)
      expect([path, status]).toEqual([path, 404])
      expect(html).toContain('Página não encontrada')
      expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow')
    }
  })

  it('leads to the waiting try, and warns of the effect of another one', async () => {
    const openTry = { id: TRY_ID, method: 'pix', state: 'waiting' } as const
    const { html } = await openPaymentPage({ link: { openTry } }).get(PATH)
    expect(html).toContain('o código dele é cancelado')
    expect(html).toContain(`href="${PATH}/${TRY_ID}"`)
    const running = { ...openTry, state: 'under-review' } as const
    const review = await openPaymentPage({ link: { openTry: running } }).get(PATH)
    expect(review.html).toContain('está sendo confirmado')
  })

  it.each([
    ['under-review', false],
    ['authenticating', false],
    // If the service of a try has died, only another try ends it.
    ['asking', true],
    ['waiting', true],
  ] as const)('while a try is %s has a form: %s', async (state, hasForm) => {
    const openTry = { id: TRY_ID, method: 'credit-card', state } as const
    const { html } = await openPaymentPage({ link: { openTry } }).get(PATH)
    expect(html.includes('<form')).toBe(hasForm)
    expect(html.includes('/pay.js')).toBe(hasForm)
    expect(html).toContain(`href="${PATH}/${TRY_ID}"`)
  })

  it('keeps a payer’s sent form while another try is under review', async () => {
    const openTry = { id: TRY_ID, method: 'credit-card', state: 'under-review' } as const
    const page = openPaymentPage({ link: { openTry }, result: { kind: 'busy' } })
    const { status, html } = await page.post({ ...PAYER, method: 'pix' })
    expect(status).toBe(409)
    expect(html).toContain('data-problem="busy"')
    expect(html).toContain('value="Maria da Silva"')
  })

  it('escapes what a store wrote', async () => {
    const description = '<script>alert(1)</script>'
    const { html } = await openPaymentPage({ link: { description } }).get(PATH)
    expect(html).not.toContain(description)
  })
})

describe('a form that is sent', () => {
  it('pays, from the shopper’s address, and leads to its try', async () => {
    const page = openPaymentPage({})
    const { status, headers } = await page.post({ ...PAYER, method: 'paypal' })
    expect(status).toBe(303)
    expect(headers.get('Location')).toBe(`${PATH}/${TRY_ID}`)
    const [order] = page.asked
    expect(order).toMatchObject({ method: 'paypal', address: '203.0.113.7', payer: PAYER })
    expect(order?.returnUrl(TRY_ID)).toBe(`${PAGE_URL}${PATH}/${TRY_ID}`)
  })

  it('comes back with what is wrong at its field, and with all but the card', async () => {
    const result: PayResult = {
      kind: 'invalid',
      failures: [
        { name: 'payer_name_invalid', property: 'payer.name', constraint: 'invalid' },
        {
          name: 'payer_document_number_missing',
          property: 'payer.document.number',
          constraint: 'required',
        },
        { name: 'payer_phone_number_invalid', property: 'payer.phone-number' },
        { name: 'charge_#_payment_info_token_invalid', property: 'charge[0].payment-info.token' },
      ],
    }
    const fields = { ...PAYER, name: 'M4ria', method: 'credit-card', token: 'eyJsecret' }
    const { status, html } = await openPaymentPage({ result }).post(fields)
    expect(status).toBe(422)
    expect(html).toContain('<a href="#name">Informe nome e sobrenome, só com letras.</a>')
    expect(html).toContain('<a href="#document">Informe seu CPF ou CNPJ.</a>')
    expect(html).toContain('<a href="#phone">Confira o celular, com DDD.</a>')
    expect(html).toContain('Não foi possível usar este cartão.')
    expect(html).toMatch(/id="name" name="name"[^>]* aria-invalid="true"[^>]* value="M4ria"/)
    expect(html).not.toContain('eyJsecret')
  })

  it('whose price has changed comes back with the prices that are charged', async () => {
    const property = 'charge[0].payment-info.installments'
    const name = 'charge_#_payment_info_installments_invalid'
    const result: PayResult = {
      kind: 'invalid',
      failures: [{ name, property, constraint: 'maximum', cause: 'price' }],
    }
    const card = { method: 'credit-card', token: 'eyJ.a.b', installments: '3' }
    const page = openPaymentPage({ result })
    const { status, html } = await page.post({ ...PAYER, ...card, prices: '10000,10000,10000' })
    expect(page.asked[0]?.card).toMatchObject({ installments: 3, shownMinor: 10_000 })
    expect([status, html]).toEqual([422, expect.stringContaining('O valor das parcelas mudou')])
    expect(html).toContain('name="prices" value="10000,10000,10605"')
  })

  it.each<[PayResult, number, string]>([
    [{ kind: 'busy' }, 409, 'ainda está sendo confirmado'],
    [{ kind: 'not-cancelled' }, 409, 'por isso ele ainda vale'],
    [{ kind: 'cards-paused' }, 429, 'Pague com PIX ou tente de novo mais tarde'],
    [{ kind: 'cards-wait' }, 429, 'Espere um minuto e tente de novo'],
    [{ kind: 'too-many-tries' }, 429, 'Muitas tentativas com cartão'],
    [{ kind: 'too-many-open' }, 429, 'cobranças demais'],
    [{ kind: 'unavailable' }, 503, 'você não será cobrado duas vezes'],
    [{ kind: 'refused', name: 'payment_exceed_limits' }, 422, 'Este valor passa'],
    [{ kind: 'refused', name: 'payer_blacklisted' }, 422, 'Fale com a loja'],
    [{ kind: 'refused', name: 'unavailable_payment_method' }, 422, 'não está disponível'],
    [{ kind: 'not-payable', state: 'paid' }, 200, 'Este link já foi pago'],
    [{ kind: 'not-payable', state: 'revoked' }, 410, 'Este link foi cancelado'],
  ])('that is answered with %j says so', async (result, status, text) => {
    const shown = await openPaymentPage({ result }).post({ ...PAYER, method: 'pix' })
    expect(shown.status).toBe(status)
    expect(shown.html).toContain(text)
  })

  it.each<[PayResult, string | null]>([
    [{ kind: 'cards-wait' }, '2'],
    [{ kind: 'cards-paused' }, null],
  ])('that is answered with %j has the page send it again after %s s', async (result, seconds) => {
    const { headers } = await openPaymentPage({ result }).post({ ...PAYER, method: 'pix' })
    expect(headers.get('Retry-After')).toBe(seconds)
  })

  it.each<PayResult>([
    { kind: 'invalid', failures: [] },
    { kind: 'refused', name: 'payer_blacklisted' },
    { kind: 'not-cancelled' },
    { kind: 'unavailable' },
  ])(
    'and refused with %j comes back as another form, which opens a try of its own',
    async (result) => {
      const form = 'a1b2c3d4-0000-4000-8000-000000000000'
      const { html } = await openPaymentPage({ result }).post({ ...PAYER, method: 'pix', form })
      expect(html).toMatch(/name="form" value="[\w-]{36}"/)
      expect(html).not.toContain(form)
    },
  )

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another origin', { 'Sec-Fetch-Site': 'same-site' }],
  ])('by %s pays nothing', async (_, headers) => {
    const page = openPaymentPage({})
    const { status } = await page.post({ ...PAYER, method: 'pix' }, headers)
    expect([status, page.asked]).toEqual([403, []])
  })

  it.each([
    ['no form', { 'Content-Type': 'application/json' }, 400],
    ['a form without a boundary', { 'Content-Type': 'multipart/form-data' }, 400],
  ])('as %s is answered with a page', async (_, headers, expected) => {
    const { status, html } = await openPaymentPage({}).post({ method: 'pix' }, headers)
    expect(status).toBe(expected)
    expect(html).toContain('Não foi possível ler o formulário')
  })

  it('of 100 KB is answered with a page', async () => {
    const page = openPaymentPage({})
    const { html } = await page.post({ method: 'pix', name: 'x'.repeat(100_000) })
    expect(html).toContain('Não foi possível ler o formulário')
    expect(page.asked).toEqual([])
  })
})

describe('a gateway that fails', () => {
  it.each([
    [new RangeError('away'), 503, 'Temporariamente indisponível'],
    [new Error('a bug'), 500, 'Algo deu errado'],
  ])('with %s is logged and answered with a page', async (fails, expected, title) => {
    const page = openPaymentPage({ fails })
    const { status, html } = await page.get(PATH)
    expect(status).toBe(expected)
    expect(html).toContain(title)
    expect(page.logged).toEqual([{ error: fails, method: 'GET' }])
  })
})
