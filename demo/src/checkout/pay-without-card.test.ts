import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import { describe, expect, it } from 'vitest'
import {
  DIGITABLE_LINE,
  FIRST_CODE,
  PIX_CODE,
  WALLET_URL,
  searchElement,
} from '../merchant-client.fixture.js'
import {
  ADDRESS,
  PAYER_IP,
  PAYER_URL,
  SHOP_URL,
  openShopForTest,
  payAt,
  shopWith,
  textByTestId,
} from '../shopper.fixture.js'

async function shopWithGift() {
  const shop = await shopWith('vale-presente')
  shop.merchant.outcome = 'PENDING'
  return shop
}

describe('the checkout', () => {
  it('offers every method, and all but the card without script', async () => {
    const { shopper } = await shopWithGift()
    const { html } = await shopper.get('/checkout')
    const values = [...html.matchAll(/name="method" value="([a-z]+)"/g)].map(([, value]) => value)
    expect(values).toEqual(['card', 'pix', 'boleto', 'pagseguro', 'paypal'])
    expect(html).toMatch(/<noscript><button class="pay" type="submit">/)
  })

  it('remembers the method when something is wrong', async () => {
    const { shopper } = await shopWithGift()
    const { status, html } = await payAt(shopper, { method: 'boleto', cpf: '' })
    expect(status).toBe(422)
    expect(html).toMatch(/name="method" value="boleto" checked/)
  })

  it('takes a method that it does not offer for a card', async () => {
    const { shopper, merchant } = await shopWithGift()
    const { html } = await payAt(shopper, { method: 'otherwallet', token: '' })
    expect(html).toContain('data-error-code="card_missing"')
    expect(merchant.asked).toEqual([])
  })
})

describe('what is asked of the service', () => {
  it.each([
    ['pix', { type: 'eft', 'sub-type': 'pix' }],
    ['boleto', { type: 'postpay', 'sub-type': 'boleto' }],
    ['paypal', { type: 'e-wallet', 'sub-type': 'paypal' }],
  ])('for %s has the method, the payer’s address and no card', async (method, paymentMethod) => {
    const { shopper, merchant } = await shopWithGift()
    await payAt(shopper, { method })
    const [asked] = merchant.asked
    expect(asked?.body.charge).toEqual([{ amount: 100, 'payment-method': paymentMethod }])
    expect(asked?.body.payer).toMatchObject({
      ip: PAYER_IP,
      'birth-date': '1990-05-17',
      'phone-number': '+5511987654321',
    })
    expect(asked?.options?.idempotencyKey).toBe(asked?.body.transaction.reference)
  })

  it('for a boleto has the payer’s address, also where nothing is shipped', async () => {
    const { shopper, merchant } = await shopWithGift()
    const refused = await payAt(shopper, { method: 'boleto', street: '' })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('href="#street"')
    await payAt(shopper, { method: 'boleto' })
    const [asked] = merchant.asked
    expect(asked?.body.payer.address).toMatchObject({
      street: 'Avenida Paulista',
      'zip-code': '01310100',
    })
    expect(asked?.body).not.toHaveProperty('shipping')
    await shopper.post('/cart/items', { product: 'vale-presente' })
    await payAt(shopper, { method: 'pix', ...ADDRESS })
    expect(merchant.asked[1]?.body.payer).not.toHaveProperty('address')
  })

  it('has the way back for a wallet only', async () => {
    const { shopper, merchant } = await shopWithGift()
    await payAt(shopper, { method: 'paypal' })
    await shopper.post('/cart/items', { product: 'vale-presente' })
    await payAt(shopper, { method: 'pix' })
    const [wallet, pix] = merchant.asked.map(({ body }) => body.transaction)
    const back = `${SHOP_URL}/orders/${wallet?.reference ?? ''}?check=yes`
    expect(wallet?.['redirect-urls']).toEqual({ success: back, fail: back })
    expect(pix).not.toHaveProperty('redirect-urls')
  })
})

describe('an order that waits', () => {
  it('shows the PIX code, its picture and how long it lasts', async () => {
    const { shopper } = await shopWithGift()
    const { html, headers } = await payAt(shopper, { method: 'pix' })
    expect(html).toContain('Falta só o PIX')
    expect(html).toContain(`src="${PAYER_URL}/q/1.png"`)
    expect(textByTestId(html, 'pix-code')).toBe(PIX_CODE)
    expect(html).toContain(`data-remaining-ms="${24 * 60 * 60 * 1000}"`)
    expect(headers.get('Content-Security-Policy')).toContain(`img-src 'self' ${PAYER_URL};`)
  })

  it('shows the boleto’s line and its page, which has the due date', async () => {
    const { shopper } = await shopWithGift()
    const { html } = await payAt(shopper, { method: 'boleto' })
    expect(textByTestId(html, 'digitable-line')).toBe(
      '03399.00009 00000.190108 10000.001015 4 15590000010000',
    )
    expect(html).toContain(`data-text="${DIGITABLE_LINE}"`)
    expect(html).toContain(`href="${PAYER_URL}/b/1" target="_blank" rel="noopener"`)
  })

  it('waits for the bank that issues a boleto, and shows it once the service has it', async () => {
    const { shopper, merchant } = await shopWithGift()
    const create = merchant.createTransaction.bind(merchant)
    merchant.createTransaction = async (body, options) => {
      const { transaction } = await create(body, options)
      delete transaction['barcode-number']
      delete transaction['digitable-line']
      return { transaction }
    }
    const { html } = await payAt(shopper, { method: 'boleto' })
    expect(html).toContain('O banco está emitindo o seu boleto')
    expect(html).not.toContain('digitable-line')
    expect(html).toContain('data-poll-ms="10000"')
    const found = {
      ...searchElement(textByTestId(html, 'order-reference'), 'PENDING'),
      'payment-url': 'https://pay.example/b/1',
    }
    const page = async () => (await shopper.get(`/orders/${FIRST_CODE}`)).html
    merchant.known.set(FIRST_CODE, found)
    expect(await page()).toContain('O banco está emitindo o seu boleto')
    merchant.known.set(FIRST_CODE, {
      ...found,
      'digitable-line': DIGITABLE_LINE,
      'payment-code': PIX_CODE,
      'qrcode-image': `${PAYER_URL}/q/1.png`,
    })
    const issued = await page()
    expect(issued).toContain(`data-text="${DIGITABLE_LINE}"`)
    expect(textByTestId(issued, 'pix-code')).toBe(PIX_CODE)
    expect(issued).toContain(`src="${PAYER_URL}/q/1.png"`)
    expect(issued).toContain('data-poll-ms="2000"')
  })

  it('links to the page where a developer can pay it, while it waits', async () => {
    const { shopper, merchant } = await shopWithGift()
    const { html } = await payAt(shopper, { method: 'pix' })
    expect(html).toContain(`href="https://panel.example/transactions/${FIRST_CODE}"`)
    merchant.known.set(FIRST_CODE, searchElement(textByTestId(html, 'order-reference'), 'COMPLETE'))
    const paid = await shopper.get(`/orders/${FIRST_CODE}?check=yes`)
    expect(paid.html).toContain('data-state="paid"')
    expect(paid.html).not.toContain('Pague, cancele')
    expect(paid.html).not.toContain(PIX_CODE)
  })
})

it('sends the payer of a PIX and of a boleto to the bank that is played for it', async () => {
  const banks = { pix: 'http://127.0.0.1:8088/charges', boleto: 'http://127.0.0.1:8092/boletos' }
  const shop = openShopForTest({ environment: 'production', banks })
  for (const [method, own, other] of [
    ['pix', `${banks.pix}?code=${encodeURIComponent(PIX_CODE)}`, banks.boleto],
    ['boleto', `${banks.boleto}?code=${DIGITABLE_LINE}`, banks.pix],
  ] as const) {
    const shopper = shop.newShopper()
    await shopper.post('/cart/items', { product: 'vale-presente' })
    shop.merchant.outcome = 'PENDING'
    const { html } = await payAt(shopper, { method })
    expect(html).toContain(`href="${own}"`)
    expect(html).not.toContain(other)
  }
})

describe('a service that is down', () => {
  const lost = new MerchantConnectionError('time-out')

  it('leaves the order in doubt, then found without its code: it cannot be paid, so the cart is back', async () => {
    const { shopper, merchant } = await shopWithGift()
    merchant.outcome = lost
    const { html } = await payAt(shopper, { method: 'pix' })
    expect(html).toContain('data-state="unknown"')
    const reference = textByTestId(html, 'order-reference')
    merchant.known.set(FIRST_CODE, searchElement(reference, 'PENDING'))
    const checked = await shopper.get(`/orders/${reference}?check=yes`)
    expect(checked.html).toContain('O pagamento não foi iniciado')
    expect(textByTestId(checked.html, 'cart-count')).toBe('1')
    const expiredAt = { 'last-status-change-date': '2026-09-02T12:05:00.000-03:00' }
    merchant.known.set(FIRST_CODE, { ...searchElement(reference, 'EXPIRED'), ...expiredAt })
    const later = await shopper.get(`/orders/${reference}?check=yes`)
    expect(textByTestId(later.html, 'cart-count')).toBe('1')
  })

  it('cannot send anyone to a wallet', async () => {
    const { shopper, merchant } = await shopWithGift()
    merchant.outcome = lost
    const { html } = await payAt(shopper, { method: 'paypal' })
    expect(html).toContain('data-state="unknown"')
    expect(html).not.toContain('http-equiv="refresh"')
  })

  it.each([
    [210204, 'charge_0_amount_invalid', 'amount_not_accepted'],
    [210210, 'charge_0_payment_method_sub_type_invalid', 'method_unavailable'],
    [210309, 'payer_ip_missing', 'try_later'],
  ])('refuses with %i, and explains it', async (code, description, problem) => {
    const { shopper, merchant } = await shopWithGift()
    merchant.outcome = new MerchantApiError(400, [{ code, description }])
    const { status, html } = await payAt(shopper, { method: 'pix' })
    expect(status).toBe(422)
    expect(html).toContain(`data-error-code="${problem}"`)
    expect(textByTestId(html, 'cart-count')).toBe('1')
  })
})

describe('a wallet', () => {
  async function shopWithWallet() {
    const shop = await shopWithGift()
    const { html } = await payAt(shop.shopper, { method: 'paypal' })
    const [reference = ''] = [shop.merchant.asked[0]?.body.transaction.reference]
    const reportStatus = (status: Parameters<typeof searchElement>[1]) =>
      shop.merchant.known.set(FIRST_CODE, searchElement(reference, status))
    const comeBack = () => shop.shopper.get(`/orders/${reference}?check=yes`)
    return { ...shop, html, reference, reportStatus, comeBack }
  }

  it('is where the browser goes next', async () => {
    const { html } = await shopWithWallet()
    expect(html).toContain(`<meta http-equiv="refresh" content="0; url=${WALLET_URL}"`)
    expect(html).toContain(`href="${WALLET_URL}"`)
  })

  it.each([
    ['PENDING', 'pending'],
    ['COMPLETE', 'paid'],
    ['CANCELLED', 'cancelled'],
  ] as const)('that leads back from a payment that is %s shows it %s', async (status, state) => {
    const { reportStatus, comeBack } = await shopWithWallet()
    reportStatus(status)
    expect((await comeBack()).html).toContain(`data-testid="result" data-state="${state}"`)
  })

  it('that leads back while the service cannot be asked shows what is known', async () => {
    const { merchant, comeBack } = await shopWithWallet()
    merchant.findTransaction = () => Promise.reject(new MerchantConnectionError('network'))
    const { html } = await comeBack()
    expect(html).toContain('data-state="pending"')
    expect(html).toContain('Verificar agora')
  })

  it('that was cancelled can be bought again', async () => {
    const { shopper, reportStatus, comeBack } = await shopWithWallet()
    reportStatus('CANCELLED')
    expect(textByTestId((await comeBack()).html, 'cart-count')).toBe('0')
    const cart = await shopper.submit(`/orders/${FIRST_CODE}/again`)
    expect(textByTestId(cart.html, 'cart-count')).toBe('1')
  })

  it('is of no use once the order is paid, or to a stranger', async () => {
    const { shopper, newShopper, reference, reportStatus, comeBack } = await shopWithWallet()
    const stranger = newShopper()
    expect((await stranger.get(`/orders/${reference}?leave=yes`)).status).toBe(404)
    reportStatus('COMPLETE')
    await comeBack()
    const again = await shopper.get(`/orders/${reference}?leave=yes`)
    expect(again.html).not.toContain('http-equiv="refresh"')
  })

  it('is linked to only at an address of the web', async () => {
    const { shopper, merchant } = await shopWithGift()
    const create = merchant.createTransaction.bind(merchant)
    merchant.createTransaction = async (body, options) => {
      const answer = await create(body, options)
      return {
        ...answer,
        transaction: { ...answer.transaction, 'payment-url': 'javascript:alert(1)' },
      }
    }
    expect((await payAt(shopper, { method: 'paypal' })).html).not.toContain('alert(1)')
  })
})
