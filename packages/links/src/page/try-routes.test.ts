import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import type { ShownTry } from '../model/payment-page.js'
import { LINK_ID, NOW_MS, TRY_ID, openPaymentPage } from './payment-page.fixture.js'

const PATH = `/pay/${LINK_ID}/${TRY_ID}`
const FORM_LINK = `href="/pay/${LINK_ID}"`

const BOLETO: ShownTry['details'] = {
  kind: 'boleto',
  barcode: '1'.repeat(44),
  digitableLine: '03399000090000019010810000001015412340000010000',
  dueDate: '2026-11-30',
  payerName: 'Maria da Silva',
}
const WALLET: ShownTry['details'] = {
  kind: 'wallet',
  paymentUrl: 'https://wallet.example/w/x',
  successUrl: 'https://pay.example',
  failUrl: 'https://pay.example',
}
const declinedFor = (reason: 'stolen_card' | 'expired_card'): ShownTry['details'] => ({
  kind: 'card',
  charge: undefined,
  decline: { reason, retry: { kind: 'never' } },
})

describe('the page of a try', () => {
  it('by PIX has the picture, the code to copy and the time that is left', async () => {
    const { status, html } = await openPaymentPage({}).get(PATH)
    expect(status).toBe(200)
    expect(html).toContain('src="/q/abcdefghijklmnop.svg"')
    expect(html).toContain('00020126580014br.gov.bcb.pix</textarea>')
    expect(html).toContain('data-remaining-ms="60000"')
    expect(html).toContain('este pagamento e o código dele são cancelados')
    expect(html).toContain(FORM_LINK)
  })

  it('by boleto has its line, its due date and the slip to print', async () => {
    const shown = { method: 'boleto', details: BOLETO }
    const { html } = await openPaymentPage({ shown }).get(PATH)
    expect(html).toContain('03399.00009 00000.190108 10000.001015 4 12340000010000')
    expect(html).toContain('data-text="03399000090000019010810000001015412340000010000"')
    expect(html).toContain('30 de novembro de 2026')
    expect(html).toContain('href="/b/abcdefghijklmnop"')
  })

  it('by boleto waits for the bank that issues it, and looks by itself', async () => {
    const details = { ...BOLETO, barcode: undefined, digitableLine: undefined }
    const page = openPaymentPage({ shown: { method: 'boleto', state: 'issuing', details } })
    const { html } = await page.get(PATH)
    expect(html).toContain('O banco está emitindo o boleto')
    expect(html).toContain(`data-look="${PATH}/state"`)
    expect(html).toContain('30 de novembro de 2026')
    expect(html).not.toMatch(/textarea|href="\/b\/|src="\/q\//)
    expect(html).toContain(FORM_LINK)
    expect((await page.get(`${PATH}/state`)).html).toBe('issuing')
  })

  it('by a boleto that PIX pays too has both codes', async () => {
    const shown = { method: 'boleto', details: { ...BOLETO, pixCode: '0002-pix' } }
    const { html } = await openPaymentPage({ shown }).get(PATH)
    expect(html).toContain('03399.00009 00000.190108 10000.001015 4 12340000010000')
    expect(html).toContain('0002-pix</textarea>')
    expect(html).toContain('src="/q/abcdefghijklmnop.svg"')
  })

  it('by a PIX with a due date has no line and no bar code', async () => {
    const pixAlone = { ...BOLETO, barcode: undefined, digitableLine: undefined, pixCode: '0002' }
    const { html } = await openPaymentPage({
      shown: { method: 'boleto', details: pixAlone },
    }).get(PATH)
    expect(html).toContain('Pague com PIX</h1>')
    expect(html).toContain('0002</textarea>')
    expect(html).toContain('Abrir a cobrança para imprimir')
    expect(html).not.toContain('id="digitable-line"')
  })

  it('by a wallet leads on to it, and to nothing that is no address of the web', async () => {
    const shown = { method: 'paypal', details: WALLET }
    const { html } = await openPaymentPage({ shown }).get(PATH)
    expect(html).toContain('href="https://wallet.example/w/x"')
    expect(html).toContain('Continuar no PayPal')
    const details = { ...WALLET, paymentUrl: 'javascript:alert(1)' }
    const wrong = await openPaymentPage({ shown: { ...shown, details } }).get(PATH)
    expect(wrong.html).not.toContain('javascript:')
  })

  it('is followed at its own address, also where that was opened with a slash', async () => {
    const { html } = await openPaymentPage({}).get(`${PATH}/`)
    expect(html).toContain(`data-look="${PATH}/state"`)
  })

  it('leads a card’s holder to the bank that asks for it', async () => {
    const shown = { method: 'credit-card', state: 'authenticating', details: undefined } as const
    const { html } = await openPaymentPage({ shown }).get(PATH)
    expect(html).toContain('href="/a/abcdefghijklmnop"')
  })

  it('shows a stolen card like any other declined card', async () => {
    const of = async (details: ShownTry['details']) =>
      /data-testid="decline">([^<]*)/.exec(
        (
          await openPaymentPage({
            shown: { method: 'credit-card', state: 'declined', details },
          }).get(PATH)
        ).html,
      )?.[1]
    expect(await of(declinedFor('stolen_card'))).toBe(await of(undefined))
    expect(await of(declinedFor('expired_card'))).toContain('Confira número, validade')
  })

  it('that was paid is a receipt, and leads back to the store', async () => {
    const shown = {
      method: 'credit-card',
      state: 'paid',
      details: undefined,
      installments: 3,
      paidAtMs: NOW_MS,
      chargedMinor: minorUnits(10_605),
    } as const
    const { html } = await openPaymentPage({ link: { state: 'paid' }, shown }).get(PATH)
    for (const [name, text] of [
      ['store', 'Café Serra Azul'],
      ['amount', 'R$ 100,00'],
      ['charged', 'R$ 106,05'],
      ['installments', '3x'],
      ['method', 'Cartão de crédito'],
      ['reference', 'assinatura-11-1'],
      ['paid-at', '25 de nov. de 2026, 09:00'],
      ['code', '123456789012345'],
    ])
      expect(html).toContain(`data-testid="fact-${name}">${text}<`)
    expect(html).toContain('href="https://shop.example/thanks"')
    expect(html).not.toContain(FORM_LINK)
  })

  it('that is reserved is done for its payer, and is no receipt', async () => {
    const shown = {
      method: 'credit-card',
      state: 'reserved',
      details: undefined,
      chargedMinor: minorUnits(10_605),
    } as const
    const { html } = await openPaymentPage({ link: { state: 'reserved' }, shown }).get(PATH)
    expect(html).toContain('A cobrança só é feita quando a loja confirmar. Não pague de novo.')
    expect(html).toContain('data-testid="fact-reserved">R$ 106,05<')
    expect(html).toContain('href="https://shop.example/thanks"')
    expect(html).toContain(`data-forget="${LINK_ID}"`)
    expect(html).not.toMatch(/data-testid="receipt"|fact-charged|fact-paid-at/)
  })

  it('that was released was never charged', async () => {
    const shown = { method: 'credit-card', state: 'released', details: undefined } as const
    const { html } = await openPaymentPage({ shown }).get(PATH)
    expect(html).toContain('Nada foi cobrado. Seu banco pode levar alguns dias')
    expect(html).not.toContain('fact-charged')
  })

  it.each([
    ['asking', 'Processando seu pagamento', { isFollowed: true, canPayAgain: false }],
    ['waiting', 'Pague com PIX', { isFollowed: true, canPayAgain: true }],
    ['under-review', 'Pagamento em análise', { isFollowed: true, canPayAgain: false }],
    ['authenticating', 'Confirme no seu banco', { isFollowed: true, canPayAgain: false }],
    ['reserved', 'Valor reservado', { isFollowed: false, canPayAgain: false }],
    ['paid', 'Pagamento aprovado', { isFollowed: false, canPayAgain: false }],
    ['declined', 'Pagamento não aprovado', { isFollowed: false, canPayAgain: true }],
    ['released', 'Reserva cancelada', { isFollowed: false, canPayAgain: true }],
    ['cancelled', 'Este pagamento foi cancelado', { isFollowed: false, canPayAgain: true }],
    ['expired', 'O prazo deste pagamento acabou', { isFollowed: false, canPayAgain: true }],
    ['not-asked', 'O pagamento não foi iniciado', { isFollowed: false, canPayAgain: true }],
  ] as const)('that is %s says so', async (state, title, { isFollowed, canPayAgain }) => {
    const { html } = await openPaymentPage({ shown: { state } }).get(PATH)
    expect(html).toContain(`<h1 id="state">${title}</h1>`)
    expect(html).toContain(`<title>${title} · Café Serra Azul</title>`)
    expect(html).toContain(`data-state="${state}"`)
    expect(html.includes(`data-look="${PATH}/state"`)).toBe(isFollowed)
    expect(html.includes('Verificar agora')).toBe(isFollowed)
    expect(html.includes(FORM_LINK)).toBe(canPayAgain)
  })

  it.each(['declined', 'waiting', 'expired'] as const)(
    'that is %s offers nothing else of a link that cannot be paid any more',
    async (state) => {
      const page = openPaymentPage({ link: { state: 'revoked' }, shown: { state } })
      expect((await page.get(PATH)).html).not.toContain(FORM_LINK)
    },
  )

  it('answers its own script with the state alone, and forbids caching', async () => {
    const { html, headers, status } = await openPaymentPage({}).get(`${PATH}/state`)
    expect([status, html, headers.get('Cache-Control')]).toEqual([200, 'waiting', 'no-store'])
    expect((await openPaymentPage({}).get(`/pay/${LINK_ID}/x/state`)).status).toBe(404)
  })
})
