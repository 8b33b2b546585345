import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import { describe, expect, it } from 'vitest'
import { searchElement } from '../merchant-client.fixture.js'
import { ADDRESS, openShopForTest, payAt, textByTestId } from '../shopper.fixture.js'

const REFUSED = (code: number) => new MerchantApiError(409, [{ code, description: 'x' }])

/** Two mugs and a coffee: R$ 129,00, R$ 42,90 and R$ 12,90 of delivery. */
async function shopWithMugs(
  method = 'card',
  outcome: 'PAID' | 'PENDING' = 'PAID',
  installments = '1',
) {
  const shop = openShopForTest()
  shop.merchant.outcome = outcome
  const shopper = shop.newShopper({ 'Accept-Language': 'en' })
  for (const product of ['caneca-ceramica', 'caneca-ceramica', 'cafe-alvorada'])
    await shopper.post('/cart/items', { product })
  const { html } = await payAt(shopper, { ...ADDRESS, method, installments })
  const code = textByTestId(html, 'order-code')
  const page = async () => (await shopper.get(`/orders/${code}`)).html
  const end = async (fields: Record<string, string>) =>
    await shop.newShopper({ 'Accept-Language': 'en' }).submit(`/back-office/${code}`, fields)
  return { ...shop, shopper, html, code, page, end }
}

describe('an order with goods made to order', () => {
  it('is reserved on the card, and waits in the back office', async () => {
    const { merchant, newShopper, html, code } = await shopWithMugs()
    expect(merchant.asked[0]?.body.charge).toMatchObject([{ 'payment-info': { capture: false } }])
    expect(textByTestId(html, 'order-status')).toBe('Amount reserved')
    expect(html).toContain('We’ll charge it when your parcel leaves.')
    expect(html).not.toContain('order-charged')
    const office = (await newShopper().get('/back-office')).html
    expect(office).toContain(`data-testid="ship-${code}"`)
    expect(office).toContain('Esta demonstração não tem contas de equipe')
    expect(office).not.toContain('maria@example.com')
  })

  it('is reserved when its holder has confirmed, though searches show it as pending', async () => {
    const { merchant, end, html, code, shopper } = await shopWithMugs('card', 'PENDING')
    expect(textByTestId(html, 'order-status')).toBe('Awaiting payment')
    expect((await end({ act: 'cancel' })).status).toBe(404)
    merchant.known.set(code, searchElement('', 'PENDING'))
    const checked = await shopper.get(`/orders/${code}?check=yes`)
    expect(textByTestId(checked.html, 'order-status')).toBe('Amount reserved')
    await end({ act: 'cancel' })
    expect(merchant.ends).toEqual([null])
  })

  it('is charged at once without a card', async () => {
    const { merchant, newShopper, html } = await shopWithMugs('boleto')
    expect(JSON.stringify(merchant.asked)).not.toContain('capture')
    expect(html).not.toContain('Amount reserved')
    expect((await newShopper().get('/back-office')).html).toContain('Nenhum pedido para enviar.')
  })
})

describe('the back office', () => {
  it('charges all of an order when it ships', async () => {
    const { merchant, end, page } = await shopWithMugs()
    const { html } = await end({ act: 'ship' })
    expect(html).toContain('shipped. The card was charged.')
    expect(html).toContain('No orders to ship.')
    expect(merchant.ends).toEqual([184.8])
    expect(await page()).toContain('Payment approved')
    expect(textByTestId(await page(), 'order-charged')).toBe('R$184.80')
    expect(await page()).not.toContain('order-released')
  })

  it('charges the goods that leave, with their delivery, and releases the rest', async () => {
    const { merchant, end, page } = await shopWithMugs()
    await end({ act: 'ship-part', 'caneca-ceramica': '1', 'cafe-alvorada': '0' })
    expect(merchant.ends).toEqual([77.4])
    expect(await page()).toContain('Part of the order shipped')
    expect(textByTestId(await page(), 'order-charged')).toBe('R$77.40')
    expect(textByTestId(await page(), 'order-released')).toBe('R$107.40')
  })

  it('charges and releases the interest of installments with the goods', async () => {
    const { merchant, end, html, page } = await shopWithMugs('card', 'PAID', '2')
    merchant.chargedRate = 1.045
    expect(textByTestId(html, 'order-installments')).toBe(
      '2 payments of R$96.56 (R$193.12 in total)',
    )
    await end({ act: 'ship-part', 'caneca-ceramica': '1', 'cafe-alvorada': '0' })
    expect(textByTestId(await page(), 'order-installments')).toBe('2x')
    expect(textByTestId(await page(), 'order-charged')).toBe('R$80.88')
    expect(textByTestId(await page(), 'order-released')).toBe('R$112.24')
  })

  it('cancels an order, whose whole amount is released', async () => {
    const { merchant, end, page } = await shopWithMugs()
    expect((await end({ act: 'cancel' })).html).toContain('cancelled. The amount was released.')
    expect(merchant.ends).toEqual([null])
    expect(textByTestId(await page(), 'order-status')).toBe('Cancelled')
    expect(textByTestId(await page(), 'order-released')).toBe('R$184.80')
  })

  it('lists an order until its acquirer confirms the capture', async () => {
    const { merchant, end, code } = await shopWithMugs()
    merchant.capturePayment = () =>
      Promise.resolve({ capture: 'in-process', payment: merchant.payment })
    const { html } = await end({ act: 'ship' })
    expect(html).toContain('The acquirer hasn’t confirmed it yet')
    expect(html).toContain(`data-testid="ship-${code}"`)
  })

  it.each([
    { 'caneca-ceramica': '0', 'cafe-alvorada': '0' },
    { 'caneca-ceramica': '3', 'cafe-alvorada': '0' },
    { 'caneca-ceramica': '1.5', 'cafe-alvorada': '0' },
    { 'caneca-ceramica': '1' },
  ])('charges nothing for the quantities %j', async (quantities) => {
    const { merchant, end } = await shopWithMugs()
    const { html } = await end({ act: 'ship-part', ...quantities })
    expect(html).toContain('Choose at least one item.')
    expect(merchant.ends).toEqual([])
  })

  it.each([
    [REFUSED(90632), 'The amount isn’t reserved anymore'],
    [REFUSED(90633), 'Another shipment or cancellation came first'],
    [REFUSED(90635), 'The acquirer refused it'],
    [REFUSED(90636), 'The acquirer refused it'],
    [new MerchantApiError(500, []), 'we don’t know if it worked'],
    [new MerchantConnectionError('time-out'), 'we don’t know if it worked'],
  ])('shows why nothing changed: %s', async (failure, text) => {
    const { merchant, end, page, logged } = await shopWithMugs()
    merchant.endFailure = failure
    expect((await end({ act: 'ship' })).html).toContain(text)
    expect(textByTestId(await page(), 'order-status')).toBe('Amount reserved')
    expect(logged.join()).toContain('order neither shipped nor cancelled')
  })

  it('ends no order that was not reserved, and knows no other act', async () => {
    const pix = await shopWithMugs('pix')
    expect((await pix.end({ act: 'cancel' })).status).toBe(404)
    const reserved = await shopWithMugs()
    expect((await reserved.end({ act: 'refund' })).status).toBe(404)
    expect([...pix.merchant.ends, ...reserved.merchant.ends]).toEqual([])
  })
})
