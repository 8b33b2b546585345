import { createHash } from 'node:crypto'
import { getPixPayloadInfo, isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import { TEST_ENGINES, TEST_SQLITE } from '@cofre/sql/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  type RailName,
  type TestGateway,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import { rasterise, readPng, scanBarcode, scanQr } from './scanner.fixture.js'

const ORIGIN = 'https://api.example.com'

describe('the pages of a payer', () => {
  let test: TestGateway
  beforeEach(async () => {
    test = await openTestGateway(TEST_SQLITE)
  })
  afterEach(() => test.close())

  const create = async (rail: RailName, payerName = 'Maria da Silva') => {
    const body = railRequest('order-1', rail, { payerName })
    const { json } = await test.send('POST', '/transactions', { body })
    return json.transaction as Record<string, string>
  }
  const open = async (url: string): Promise<Response> =>
    await test.app.request(url.replace(ORIGIN, ''))
  const openBoleto = async (payerName?: string) => {
    const boleto = await create('boleto', payerName)
    const response = await open(boleto['payment-url']!)
    return { boleto, response, page: await response.text() }
  }

  describe('the boleto page', () => {
    it('shows everything that a payer needs, to anyone with its address', async () => {
      const { boleto, response, page } = await openBoleto()
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8')
      expect(page).toContain('<dd>Loja Um</dd>')
      expect(page).toContain('<dd>Maria da Silva</dd>')
      expect(page).toContain('<dd>order-1</dd>')
      expect(page).toContain('<dd>24/11/2026</dd>')
      expect(page).toContain('<dd>R$ 100,00</dd>')
      const line = /<p class="line">([^<]+)<\/p>/.exec(page)?.[1]
      expect(line).toMatch(/^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/)
      expect(line?.replaceAll(/\D/g, '')).toBe(boleto['digitable-line'])
    })

    it('draws a barcode that a scanner reads', async () => {
      const { boleto, page } = await openBoleto()
      const [svg = ''] = /<svg.*<\/svg>/.exec(page) ?? []
      for (const scale of [1, 2, 3]) {
        expect(scanBarcode(rasterise(svg, scale))).toBe(boleto['barcode-number'])
      }
    })

    it('draws the barcode in FEBRABAN’s size, with quiet zones', async () => {
      const { page } = await openBoleto()
      const [, width = '', height] = /<svg[^>]* width="([\d.]+)mm" height="(\d+)mm"/.exec(page)!
      const { width: modules, luminances } = rasterise(/<svg.*<\/svg>/.exec(page)![0], 1)
      const [first, last] = [luminances.indexOf(0), luminances.lastIndexOf(0, modules - 1)]
      const moduleMm = Number(width) / modules
      expect(height).toBe('13')
      expect((last + 1 - first) * moduleMm).toBeCloseTo(103, 0)
      expect(first * moduleMm).toBeGreaterThanOrEqual(5)
      expect((modules - 1 - last) * moduleMm).toBeGreaterThanOrEqual(5)
    })

    it('allows its own style and nothing else', async () => {
      const { response, page } = await openBoleto()
      const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect(response.headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
      )
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
      expect(page).not.toMatch(/<script|\son\w+=|\sstyle=/i)
    })

    it('shows names with HTML as text', async () => {
      const name = '<img src=x onerror=alert(1)>"&\''
      await test.gateway.saveMerchant({ ...MERCHANT, name })
      const { page } = await openBoleto("O'Neil & Sons")
      expect(page).toContain('<dd>O&#39;Neil &amp; Sons</dd>')
      expect(page).toContain('<dd>&lt;img src=x onerror=alert(1)&gt;&quot;&amp;&#39;</dd>')
      expect(page).toContain(
        '<title>Boleto · &lt;img src=x onerror=alert(1)&gt;&quot;&amp;&#39;</title>',
      )
      expect(page).not.toContain('<img')
    })

    it('shows a payer’s name with HTML as text, should one ever be stored', async () => {
      const boleto = await create('boleto')
      const { payment_details: details } = await test.database.reader
        .selectFrom('transactions')
        .select('payment_details')
        .executeTakeFirstOrThrow()
      const payerName = '</dd><script>alert(1)</script>'
      await test.database.transact((trx) =>
        trx
          .updateTable('transactions')
          .set({
            payment_details: JSON.stringify({ ...(JSON.parse(details!) as object), payerName }),
          })
          .execute(),
      )
      const page = await (await open(boleto['payment-url']!)).text()
      expect(page).not.toContain('<script')
      expect(page).toContain('&lt;/dd&gt;&lt;script&gt;')
    })

    const change = (values: object, details: object = {}) =>
      test.database.transact(async (trx) => {
        const { payment_details: kept } = await trx
          .selectFrom('transactions')
          .select('payment_details')
          .executeTakeFirstOrThrow()
        const changed = { ...(JSON.parse(kept!) as object), ...details }
        const payment_details = JSON.stringify(changed)
        await trx
          .updateTable('transactions')
          .set({ ...values, payment_details })
          .execute()
      })
    const ISSUING = { barcode: undefined, digitableLine: undefined }
    const PIX_CODE = '00020126580014br.gov.bcb.pix6304ABCD'
    const searched = async (code: string) => {
      const { json } = await test.send('GET', `/transactions/${code}`)
      const found = json['transaction-result'] as { transactions: [Record<string, unknown>] }
      return found.transactions[0]
    }

    it('shows that the bank is issuing it, and refreshes without a script', async () => {
      const { boleto } = await openBoleto()
      await change({}, ISSUING)
      const response = await open(boleto['payment-url']!)
      expect(response.headers.get('refresh')).toBe('10')
      const page = await response.text()
      expect(page).toContain('O banco está emitindo este boleto')
      expect(page).toContain('<dd>24/11/2026</dd>')
      expect(page).not.toMatch(/<svg|class="line"|Pague/)
      // The search shows the same, with only the page's address.
      const found = await searched(boleto.code!)
      expect(found).toMatchObject({ status: 'PENDING', 'payment-url': boleto['payment-url'] })
      expect(found).not.toHaveProperty('digitable-line')
      expect(found).not.toHaveProperty('payment-code')
    })

    it('shows all ways to pay once it is issued, PIX beside its line', async () => {
      const { boleto } = await openBoleto()
      await change({}, { pixCode: PIX_CODE })
      const response = await open(boleto['payment-url']!)
      expect(response.headers.get('refresh')).toBeNull()
      const page = await response.text()
      const [bars = '', qr = ''] = page.match(/<svg.*?<\/svg>/g) ?? []
      expect(scanBarcode(rasterise(bars, 1))).toBe(boleto['barcode-number'])
      expect(scanQr(rasterise(qr, 4))).toBe(PIX_CODE)
      expect(page).toContain(`<p class="line">${PIX_CODE}</p>`)
      const found = await searched(boleto.code!)
      expect(found).toMatchObject({
        'barcode-number': boleto['barcode-number'],
        'digitable-line': boleto['digitable-line'],
        'payment-code': PIX_CODE,
      })
      const picture = await open(String(found['qrcode-image']))
      expect(scanQr(readPng(new Uint8Array(await picture.arrayBuffer())))).toBe(PIX_CODE)
    })

    it('shows a PIX with a due date without a bar code', async () => {
      const { boleto } = await openBoleto()
      await change({}, { ...ISSUING, pixCode: PIX_CODE })
      const page = await (await open(boleto['payment-url']!)).text()
      expect(page).toContain('<h1>PIX com vencimento')
      expect(page.match(/<svg/g)).toHaveLength(1)
      expect(page).not.toMatch(/Linha digitável|Código de barras/)
    })

    it.each([
      ['COMPLETE', 'Este boleto já foi pago'],
      ['REFUNDED', 'Este boleto já foi pago'],
      ['NOT-PAID', 'Não o pague'],
      ['CANCELLED', 'Não o pague'],
    ])('invites nobody to pay what is %s', async (status, said) => {
      const { boleto } = await openBoleto()
      await change({ status, open: 0 }, { pixCode: PIX_CODE })
      const response = await open(boleto['payment-url']!)
      expect(response.headers.get('refresh')).toBeNull()
      const page = await response.text()
      expect(page).toMatch(new RegExp(`role="status"[^>]*>\\s*[^<]*${said}`))
      expect(page).not.toMatch(/<svg|class="line"|Pague no/)
    })

    it('has no PDF if the rails simulate its bank', async () => {
      const { boleto, page } = await openBoleto()
      expect(page).not.toContain('.pdf')
      expect((await open(`${boleto['payment-url']!}.pdf`)).status).toBe(404)
    })
  })

  describe('the picture of a PIX code', () => {
    it('is a PNG that a scanner reads', async () => {
      const pix = await create('pix')
      const response = await open(pix['qrcode-image']!)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('image/png')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      const picture = readPng(new Uint8Array(await response.arrayBuffer()))
      expect(scanQr(picture)).toBe(pix['payment-code'])
      // Four modules of six pixels stay white at each side (ISO/IEC 18004).
      expect(picture.luminances.indexOf(0)).toBe(24 * picture.width + 24)
    })

    it('is an SVG that a scanner reads, on white of its own', async () => {
      const pix = await create('pix')
      const response = await open(pix['qrcode-image']!.replace(/png$/, 'svg'))
      expect(response.headers.get('content-type')).toBe('image/svg+xml')
      const svg = await response.text()
      expect(scanQr(rasterise(svg, 4))).toBe(pix['payment-code'])
      expect(/^<svg [^>]*><rect width="100%" height="100%" fill="#fff"\/><path /.test(svg)).toBe(
        true,
      )
    })

    it('holds a code that an independent library accepts', async () => {
      const { 'payment-code': code = '' } = await create('pix')
      expect(isValidPixPayload(code)).toBe(true)
      expect(getPixPayloadInfo(code)).toMatchObject({
        merchantName: 'Loja Um',
        merchantCity: 'Sao Paulo',
        pointOfInitiation: 'dynamic',
        url: expect.stringMatching(/^pix\.example\.com\/qr\/v2\/\w{16}$/) as string,
      })
    })
  })

  it('shows no boleto page of a PIX charge, and no picture of a boleto', async () => {
    const { 'qrcode-image': picture = '' } = await create('pix')
    const publicId = /q\/(\w+)\.png$/.exec(picture)?.[1] ?? ''
    expect((await open(`/b/${publicId}`)).status).toBe(404)
    const body = railRequest('order-2', 'boleto')
    const { json } = await test.send('POST', '/transactions', { body })
    const { 'payment-url': page = '' } = json.transaction as Record<string, string>
    expect((await open(page.replace('/b/', '/q/') + '.png')).status).toBe(404)
  })
})

for (const engine of TEST_ENGINES) {
  describe(`what no payer was sent on ${engine.name}`, () => {
    let test: TestGateway
    beforeAll(async () => {
      test = await openTestGateway(engine)
    })
    afterAll(() => test.close())

    it.each([
      '/b/AAAAAAAAAAAAAAAA',
      '/b/x',
      '/b/%00',
      '/b/a%00b',
      '/b/%ff%fe',
      "/b/'%20or%201=1--",
      `/b/${'A'.repeat(5000)}`,
      '/b/..%2f..%2fetc',
      '/q/AAAAAAAAAAAAAAAA.png',
      '/q/AAAAAAAAAAAAAAAA.svg',
      '/q/AAAAAAAAAAAAAAAA.gif',
      '/q/AAAAAAAAAAAAAAAA',
      '/q/%00.png',
      '/q/.png',
      '/b/AAAAAAAAAAAAAAAA.pdf',
      '/b/.pdf',
      '/b/%00.pdf',
      '/b/x.pdf/y.pdf',
      '/b/',
      '/q/',
    ])('answers %s with 404 in the one error shape', async (path) => {
      const response = await test.app.request(path)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
      expect(await response.json()).toMatchObject({
        errors: [{ code: 90001, description: 'route_not_found' }],
      })
    })

    it('answers another method with 405', async () => {
      const response = await test.app.request('/b/AAAAAAAAAAAAAAAA', { method: 'POST' })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET')
    })
  })
}
