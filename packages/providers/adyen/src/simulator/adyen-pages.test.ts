import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen } from '../../test/simulated-adyen.js'
import { VISA, callTwice, openPage } from '../../../../provider-kit/test/card-acquirer.js'

describe("the simulated Adyen's page", () => {
  let adyen: TestAdyen
  let page: Awaited<ReturnType<typeof openPage>>
  beforeEach(async () => {
    adyen = await openTestAdyen()
    page = await openPage(adyen.pageUrl)
  })
  afterEach(() => adyen.close())

  const act = async (id: string, action: string) => {
    const answer = await page.post(`/payments/${id}/${action}`)
    expect(answer).toEqual({ status: 303, location: `/?said=done#${id}` })
  }

  it('lists payments in both languages, with the card masked', async () => {
    expect(await page.read()).toContain('Nenhum pagamento ainda')
    await adyen.pay('order', { installments: { value: 3 } })
    await adyen.pay('no', {}, { holderName: 'CARD_EXPIRED' })
    const portuguese = await page.read()
    expect(portuguese).toMatch(/R\$\s129,90, 3x.*Capturado.*visa 411111\*{6}1111/s)
    expect(portuguese).toMatch(/Recusado.*Refused · Expired Card · 54 : Expired card/s)
    expect(await page.read('en')).toMatch(/<html lang="en">.*Captured/s)
    expect(portuguese).not.toContain(VISA)
  })

  it('simulates issuer and card scheme', async () => {
    const pending = await adyen.pay('pending', {}, { holderName: 'PENDING' })
    const refused = await adyen.pay('refused', {}, { holderName: 'PENDING' })
    expect(await page.read()).toContain(`/payments/${pending.pspReference}/authorise`)
    await act(pending.pspReference, 'authorise')
    await act(refused.pspReference, 'refuse')
    await act(pending.pspReference, 'charge-back')
    await act(pending.pspReference, 'reverse-chargeback')
    await act(pending.pspReference, 'fail-capture')
    await act(pending.pspReference, 'notice')
    expect((await adyen.notices()).map(({ eventCode, success }) => [eventCode, success])).toEqual([
      ['AUTHORISATION', 'true'],
      ['AUTHORISATION', 'false'],
      ['CHARGEBACK', 'true'],
      ['CHARGEBACK_REVERSED', 'true'],
      ['CAPTURE_FAILED', 'true'],
      ['CAPTURE_FAILED', 'true'],
    ])
    const answer = await page.post(`/payments/${pending.pspReference}/authorise`)
    expect(answer.location).toBe('/?said=state')
    expect(await page.read()).toMatch(/Capture|Captura.*Falhou/s)
  })

  it('lets authorizations expire that are not captured', async () => {
    const { pspReference } = await adyen.pay('order', { additionalData: { manualCapture: 'true' } })
    await adyen.pay('captured')
    const actions = (await page.read()).match(/\/payments\/\w+\/expire/g)
    expect(actions).toEqual([`/payments/${pspReference}/expire`])
    await act(pspReference, 'expire')
    expect(await page.read()).toMatch(/<span class="badge bad">Expirado</)
    expect(await page.read()).not.toContain('/expire')
  })

  it('has the payouts as a file', async () => {
    const { pspReference } = await adyen.pay('order')
    await adyen.pay('no', {}, { holderName: 'CARD_EXPIRED' })
    const manual = { additionalData: { manualCapture: 'true' } }
    await adyen.pay('open', manual)
    const { pspReference: part } = await adyen.pay('part', manual)
    const capture = { merchantAccount: MERCHANT, amount: { currency: 'BRL', value: 4_000 } }
    await adyen.post(`/payments/${part}/captures`, capture)
    const amount = { currency: 'BRL', value: 1_000 }
    await adyen.post(`/payments/${pspReference}/refunds`, { merchantAccount: MERCHANT, amount })
    await act(pspReference, 'charge-back')
    await act(pspReference, 'reverse-chargeback')
    expect(await page.read('en')).toContain('href="/settlement.csv"')
    const answer = await fetch(new URL('/settlement.csv', adyen.pageUrl))
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    const [heads = [], ...entries] = lines
    const shown = [
      'Type',
      'Merchant Reference',
      'Gross Debit (GC)',
      'Gross Credit (GC)',
      'Net Debit (NC)',
      'Net Credit (NC)',
    ]
    expect(
      entries.map((cells) => shown.map((head) => cells[heads.indexOf(head)]).join(' ')),
    ).toEqual([
      'Settled order  129.90  126.65',
      'Refunded order 10.00  10.00 ',
      'Chargeback order 129.90  129.90 ',
      'ChargebackReversed order  129.90  129.90',
      'Settled part  40.00  39.00',
      'MerchantPayout    155.65 ',
    ])
    expect(answer.headers.get('Content-Disposition')).toContain('settlement_detail_report')
  })

  it('settles, refuses, fails and reverses refunds', async () => {
    const { pspReference } = await adyen.pay('order')
    const settings = { notices: 'once', refunds: 'held', delayMs: '0', connection: 'kept' }
    expect((await page.post('/settings', settings)).location).toBe('/?said=applied')
    const refund = async () => {
      const body = { merchantAccount: MERCHANT, amount: { currency: 'BRL', value: 1_000 } }
      return (await adyen.post(`/payments/${pspReference}/refunds`, body)).body.pspReference
    }
    const [first, second, third] = [await refund(), await refund(), await refund()]
    await page.post(`/payments/${pspReference}/entries/${first}/settle`)
    for (const [id, action] of [
      [second, 'refuse'],
      [third, 'settle'],
      [third, 'reverse'],
      [first, 'fail'],
    ] as const)
      expect((await page.post(`/payments/${pspReference}/entries/${id}/${action}`)).location).toBe(
        `/?said=done#${pspReference}`,
      )
    expect((await adyen.notices()).map(({ eventCode }) => eventCode)).toEqual([
      'AUTHORISATION',
      'REFUND',
      'REFUND',
      'REFUND',
      'REFUNDED_REVERSED',
      'REFUND_FAILED',
    ])
    expect(await page.read()).toMatch(/Falhou.*Recusado.*Revertido/s)
  })

  it('gives money back at the acquirer, no more than is left', async () => {
    const { pspReference } = await adyen.pay('order')
    const refundPaid = (amount: string) =>
      page.post(`/payments/${pspReference}/give-back`, { amount })
    expect(await page.read()).toContain('name="amount" value="129,90"')
    expect((await refundPaid('29,90')).location).toBe(`/?said=done#${pspReference}`)
    expect((await refundPaid('100,01')).location).toBe('/?said=state')
    expect((await refundPaid('much')).location).toBe('/?said=amount')
    expect(await page.read()).toMatch(/Reembolso: R\$\s29,90.*Feito/s)
    expect((await adyen.notices()).at(-1)).toMatchObject({
      eventCode: 'REFUND',
      success: 'true',
      originalReference: pspReference,
      merchantReference: 'order',
      amount: { value: 2_990 },
    })
  })

  it('lists the names that decide a payment’s outcome', async () => {
    const portuguese = await page.read()
    expect(portuguese).toContain('<code>CARD EXPIRED</code>: Expired Card (6) · 54 : Expired card')
    expect(portuguese).toContain('<code>CAPTURE FAILED</code>')
  })

  it('makes Adyen slow, away and silent', async () => {
    const settings = { notices: 'never', refunds: 'settled', delayMs: '18000' }
    await page.post('/settings', { ...settings, connection: 'cut-after' })
    expect(adyen.adyen.conditions).toEqual({
      ...settings,
      links: 'free',
      delayMs: 18_000,
      connection: 'cut-after',
    })
    expect(await page.read()).toMatch(/value="cut-after" selected/)
    await page.post('/settings', { ...settings, notices: 'late', connection: 'away' })
    expect(adyen.adyen.conditions).toMatchObject({ notices: 'late', connection: 'away' })
  })

  it('lets no call through a kept connection once it is away', async () => {
    const settings = { notices: 'once', refunds: 'settled', delayMs: '0', connection: 'away' }
    const leave = () => page.post('/settings', settings)
    const api = { port: adyen.apiPort, authority: adyen.authority }
    expect(await callTwice(api, leave)).toEqual(['refused', 'not-sent'])
  })

  it.each([
    ['without its token', { csrf: '' }, {}],
    ['from elsewhere', {}, { 'Sec-Fetch-Site': 'cross-site' }],
    ['that is no form', {}, { 'Content-Type': 'text/plain' }],
  ])('changes nothing for a form %s', async (_, fields, headers) => {
    const { pspReference } = await adyen.pay('order')
    const answer = await page.post(`/payments/${pspReference}/charge-back`, fields, headers)
    expect(answer.status).toBe(403)
    expect(adyen.adyen.controls.paymentOf(pspReference).chargebacks).toEqual([])
  })

  it('changes nothing for settings and actions that are none', async () => {
    expect((await page.post('/settings', { notices: 'often' })).status).toBe(403)
    expect((await page.post('/payments/none/explode')).status).toBe(403)
    expect((await page.post('/payments/none/charge-back')).location).toBe('/?said=state')
    expect((await page.post('/payments/none/fraud-alert')).location).toBe('/?said=state')
    expect((await page.post('/nothing')).status).toBe(404)
    expect((await fetch(`${adyen.pageUrl}/nothing`)).status).toBe(404)
  })

  it('is served by the caller if that listens for it', async () => {
    const other = await openTestAdyen({ pageUrl: 'http://127.0.0.1:9' })
    const headers = { Host: '127.0.0.1:9' }
    const answer = await other.page(new Request(other.pageUrl, { headers }))
    expect(await answer.text()).toContain('<h1>Adyen simulada</h1>')
    await other.close()
  })

  it('runs nothing inline and belongs in no frame', async () => {
    const { headers } = await fetch(adyen.pageUrl)
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
  })
})
