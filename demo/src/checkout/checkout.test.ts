import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import { describe, expect, it } from 'vitest'
import { FIRST_CODE, SAVED_CODE } from '../merchant-client.fixture.js'
import {
  ADDRESS,
  CONTACT,
  PAYER_IP,
  STORE_ID,
  TOKEN,
  hiddenValue,
  openShopForTest,
  payAt,
  shopWith,
  textByTestId,
} from '../shopper.fixture.js'

const refusal = (code: number, description: string): MerchantApiError =>
  new MerchantApiError(400, [{ code, description }])

describe('the checkout page', () => {
  it('gives the card inputs no name', async () => {
    const { shopper } = await shopWith('vale-presente')
    const { html } = await shopper.get('/checkout')
    for (const id of ['card-number', 'card-expiry', 'card-cvv']) {
      const [input = ''] = new RegExp(`<input[^>]*id="${id}"[^>]*>`).exec(html) ?? []
      expect(input).toContain('inputmode="numeric"')
      expect(input).not.toMatch(/\sname=/)
    }
    expect(html).toMatch(/autocomplete="cc-number"[\s\S]*cc-exp[\s\S]*cc-csc/)
  })

  it('loads the library from the vault if its hash matches, and gives the script its name', async () => {
    const { shopper } = await shopWith('vale-presente')
    const { html } = await shopper.get('/checkout')
    const [tag = ''] = /<script id="card-library"[^>]*>/.exec(html) ?? []
    expect(tag).toContain('src="https://vault.example/payment.cofre.min.js"')
    expect(tag).toContain('integrity="sha384-of-the-library" crossorigin="anonymous"')
    expect(html).toContain('data-library-integrity="sha384-of-the-library"')
    expect(html).toContain('data-library-global="Cofre"')
    expect(html).toContain(`data-store-id="${STORE_ID}"`)
  })

  it('asks for an address when something is shipped, else for boletos alone', async () => {
    const digital = await shopWith('vale-presente')
    const ofBoleto = (await digital.shopper.get('/checkout')).html
    expect(ofBoleto).toContain('id="boleto-address"')
    // A required hidden field would block the form of a browser without script.
    expect(ofBoleto).not.toMatch(/name="zip-code"[^>]*required/)
    const physical = await shopWith('vale-presente', 'cafe-alvorada')
    const ofGoods = (await physical.shopper.get('/checkout')).html
    expect(ofGoods).not.toContain('id="boleto-address"')
    expect(ofGoods).toMatch(/name="zip-code"[^>]*required/)
  })

  it('sends an empty cart back', async () => {
    const page = await openShopForTest().newShopper().get('/checkout')
    expect(page).toMatchObject({ status: 303, location: '/cart' })
  })

  it('offers the installments of a brand, in words', async () => {
    const { shopper } = await shopWith('vale-presente')
    const { html } = await shopper.get('/checkout/installments?brand=visa')
    const { options } = JSON.parse(html.replaceAll(/\s/g, ' ')) as { options: unknown }
    expect(options).toEqual([
      { quantity: 1, label: '1x de R$ 100,00 à vista' },
      { quantity: 2, label: '2x de R$ 52,25 (total R$ 104,50)' },
    ])
    expect((await shopper.get('/checkout/installments?brand=dogecard')).status).toBe(400)
  })
})

it('offers in each environment the test cards that its acquirers know', async () => {
  const pageIn = async (environment: 'sandbox' | 'production') => {
    const shopper = openShopForTest({ environment }).newShopper()
    await shopper.post('/cart/items', { product: 'vale-presente' })
    return (await shopper.get('/checkout')).html
  }
  const [sandbox, production] = [await pageIn('sandbox'), await pageIn('production')]
  expect(sandbox).toContain('378282246310005')
  expect(production).toContain('5066991111111050')
  // Adyen decides by the name, Cielo by the last digit: both decline it.
  expect(production).toMatch(/4000000000000002.*NOT ENOUGH BALANCE/)
})

describe('paying with a token', () => {
  it('asks for exactly the cart, under a new reference that is the idempotency key too', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    await payAt(shopper, { installments: '3' })
    const [asked] = merchant.asked
    // For a card whose issuer authenticates the cardholder.
    const back = `https://serra.example/orders/${asked?.body.transaction.reference ?? ''}?check=yes`
    expect(asked?.body.transaction.reference).toMatch(/^serra-[0-9a-z]+-[0-9a-f]{8}$/)
    expect(asked?.options).toEqual({ idempotencyKey: asked?.body.transaction.reference })
    expect(asked?.body).toEqual({
      transaction: {
        reference: asked?.body.transaction.reference,
        country: 'BR',
        currency: 'BRL',
        'checkout-type': 'direct',
        'notification-url': 'https://serra.example/notifications',
        language: 'pt-BR',
        'redirect-urls': { success: back, fail: back },
      },
      charge: [
        {
          amount: 100,
          'payment-method': { type: 'credit-card' },
          'payment-info': { installments: 3, token: TOKEN },
        },
      ],
      payer: {
        name: 'Maria da Silva',
        email: 'maria@example.com',
        'birth-date': '1990-05-17',
        'phone-number': '+5511987654321',
        document: { type: 'CPF', number: '52998224725' },
        ip: PAYER_IP,
      },
      cart: [
        {
          quantity: 1,
          description: 'Vale-presente',
          'unit-price': 100,
          type: 'digital',
          category: 'presente',
        },
      ],
    })
  })

  it('adds delivery and address when something is shipped', async () => {
    const { shopper, merchant } = await shopWith('cafe-alvorada', 'vale-presente')
    await payAt(shopper, ADDRESS)
    const address = {
      street: 'Avenida Paulista',
      number: '1578',
      district: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
      country: 'BR',
      'zip-code': '01310100',
    }
    expect(merchant.asked[0]?.body).toMatchObject({
      charge: [{ amount: 155.8 }],
      payer: { address },
      shipping: { cost: 12.9, address },
      cart: [{ 'unit-price': 42.9, type: 'physical' }, { type: 'digital' }],
    })
  })

  it('shows the paid order and empties the cart', async () => {
    const { shopper } = await shopWith('vale-presente')
    const { html } = await payAt(shopper)
    expect(html).toContain('Pagamento aprovado')
    expect(textByTestId(html, 'order-code')).toBe(FIRST_CODE)
    expect(textByTestId(html, 'order-payment')).toBe('Visa final 1111')
    expect(textByTestId(html, 'total')).toContain('100,00')
    expect(textByTestId(html, 'cart-count')).toBe('0')
  })

  it('promises a message while the payment is pending', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    merchant.outcome = 'PENDING'
    const { html } = await payAt(shopper)
    expect(html).toContain('Vamos avisar você')
    expect(textByTestId(html, 'cart-count')).toBe('0')
  })

  it('keeps the cart when the card is declined', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    merchant.outcome = 'REJECTED'
    const { html } = await payAt(shopper)
    expect(html).toContain('data-state="rejected"')
    expect(html).toContain('Tentar com outro cartão')
    expect(textByTestId(html, 'cart-count')).toBe('1')
  })

  it.each([
    ['a stolen card', { reason: 'stolen_card', 'retry-allowed': false }, 'O banco não aprovou'],
    ['a wrong code', { reason: 'security_code_invalid', 'retry-allowed': false }, 'Confira número'],
    ['no reason', undefined, 'O cartão não foi autorizado'],
  ] as const)('shows the customer only helpful facts: %s', async (_, decline, text) => {
    const { shopper, merchant } = await shopWith('vale-presente')
    Object.assign(merchant, { outcome: 'REJECTED', decline })
    const { html } = await payAt(shopper)
    expect(html).toContain(text)
    expect(html).toMatch(/carrinho continua salvo/)
    const orderPage = await shopper.get(`/orders/${textByTestId(html, 'order-code')}`)
    expect(orderPage.html).toContain(text)
    for (const page of [html, orderPage.html]) expect(page).not.toMatch(/stolen|roub|_invalid/)
  })

  it('pays once when the form is posted twice', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    const { html } = await shopper.get('/checkout')
    const form = { ...CONTACT, reference: hiddenValue(html, 'reference'), token: TOKEN }
    const [first, second] = await Promise.all([
      shopper.post('/checkout', form),
      shopper.post('/checkout', form),
    ])
    expect(merchant.asked).toHaveLength(1)
    expect(second.location).toBe(first.location)
  })
})

describe('two tabs with one cart', () => {
  async function payInTwoTabs(outcome: 'PAID' | 'REJECTED' | Error) {
    const { shopper, merchant } = await shopWith('vale-presente')
    merchant.outcome = outcome
    const [one, other] = [await shopper.get('/checkout'), await shopper.get('/checkout')]
    const pay = ({ html }: typeof one, token: string) =>
      shopper.post('/checkout', { ...CONTACT, reference: hiddenValue(html, 'reference'), token })
    const [first, second] = await Promise.all([pay(one, `${TOKEN}1`), pay(other, `${TOKEN}2`)])
    return { shopper, merchant, first, second, payAgain: () => pay(other, `${TOKEN}3`) }
  }

  it('pay once, and both lead to the order', async () => {
    const { shopper, merchant, first, second, payAgain } = await payInTwoTabs('PAID')
    expect(merchant.asked).toHaveLength(1)
    expect(first).toMatchObject({ status: 303, location: second.location })
    expect((await shopper.get(second.location ?? '')).html).toContain('Pagamento aprovado')
    expect(await payAgain()).toMatchObject({ status: 303, location: '/cart' })
    expect(merchant.asked).toHaveLength(1)
  })

  it.each([
    ['declined', 'REJECTED' as const],
    ['refused', refusal(210216, 'charge_0_payment_info_token_invalid')],
  ])('have the cart back when the payment is %s', async (_, outcome) => {
    const { shopper, merchant, payAgain } = await payInTwoTabs(outcome)
    expect(merchant.asked).toHaveLength(1)
    expect(textByTestId((await shopper.get('/cart')).html, 'cart-count')).toBe('1')
    merchant.outcome = 'PAID'
    await payAgain()
    expect(merchant.asked).toHaveLength(2)
    expect(textByTestId((await shopper.get('/cart')).html, 'cart-count')).toBe('0')
  })

  it('cannot pay again while the outcome of the payment is unknown', async () => {
    const { merchant, first, payAgain } = await payInTwoTabs(
      new MerchantConnectionError('time-out'),
    )
    expect(await payAgain()).toMatchObject({ status: 303, location: first.location })
    expect(merchant.asked).toHaveLength(1)
  })

  it('keep what is added to the cart while a payment is under way', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    const create = merchant.createTransaction.bind(merchant)
    merchant.createTransaction = async (body, options) => {
      await shopper.post('/cart/items', { product: 'cafe-alvorada' })
      return create(body, options)
    }
    expect(textByTestId((await payAt(shopper)).html, 'cart-count')).toBe('1')
  })
})

describe('a saved card', () => {
  it('is remembered when asked for, and pays by its code', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    await payAt(shopper, { save: 'yes' })
    expect(merchant.asked[0]?.body.charge[0]).toMatchObject({ 'payment-info': { save: true } })

    await shopper.post('/cart/items', { product: 'vale-presente' })
    const { html } = await shopper.get('/checkout')
    expect(html).toContain('Pagar com meu cartão salvo: Visa **** 1111')
    expect(html).toContain('value="maria@example.com"')
    await payAt(shopper, { 'payment-code': SAVED_CODE })
    expect(merchant.asked[1]?.body.charge[0]).toMatchObject({
      'payment-info': { installments: 1, code: SAVED_CODE },
    })
    expect(JSON.stringify(merchant.asked[1])).not.toContain(TOKEN)

    await shopper.post('/cart/items', { product: 'vale-presente' })
    await payAt(shopper, { 'payment-code': SAVED_CODE, 'security-code-token': 'eyJ.code' })
    expect(merchant.asked[2]?.body.charge[0]).toMatchObject({
      'payment-info': { installments: 1, code: SAVED_CODE, 'security-code-token': 'eyJ.code' },
    })
  })

  it('has its security code asked for by the fields of the vault alone', async () => {
    const { shopper } = await shopWith('vale-presente')
    const place = '<div id="security-code"'
    await shopper.post('/checkout', { 'card-input': 'hosted' })
    expect((await shopper.get('/checkout')).html).not.toContain(place)
    await payAt(shopper, { save: 'yes' })
    await shopper.post('/cart/items', { product: 'vale-presente' })
    expect((await shopper.get('/checkout')).html).toContain(place)
    await shopper.post('/checkout', { 'card-input': 'own' })
    expect((await shopper.get('/checkout')).html).not.toContain(place)
  })

  it('is not offered when it was not asked for', async () => {
    const { shopper } = await shopWith('vale-presente')
    await payAt(shopper)
    await shopper.post('/cart/items', { product: 'vale-presente' })
    expect((await shopper.get('/checkout')).html).not.toContain(SAVED_CODE)
  })

  it('of another browser pays nothing', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    const page = await payAt(shopper, { 'payment-code': SAVED_CODE })
    expect(page.status).toBe(422)
    expect(page.html).toContain('data-error-code="saved_card_unusable"')
    expect(merchant.asked).toEqual([])
  })
})

describe('what is wrong with a form', () => {
  it('is shown at once, and the form keeps its values', async () => {
    const { shopper, merchant } = await shopWith('cafe-alvorada')
    const page = await payAt(shopper, { cpf: '', token: '' })
    expect(page.status).toBe(422)
    expect(merchant.asked).toEqual([])
    for (const id of ['cpf', 'zip-code', 'street', 'state'])
      expect(page.html).toContain(`<a href="#${id}">`)
    expect(page.html).toContain('Digite os dados do cartão')
    expect(page.html).toContain('value="maria@example.com"')
  })

  it('points at the fields that the service refuses', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    merchant.outcome = new MerchantApiError(400, [
      { code: 210318, description: 'payer_document_number_invalid' },
      { code: 210312, description: 'payer_phone_number_invalid' },
    ])
    const page = await payAt(shopper)
    expect(page.status).toBe(422)
    expect(page.html).toMatch(/<input id="cpf"[^>]*aria-invalid="true"/)
    expect(page.html).toMatch(/<input id="phone"[^>]*aria-invalid="true"/)
    expect(page.html).not.toMatch(/<input id="email"[^>]*aria-invalid/)
    expect(textByTestId(page.html, 'cart-count')).toBe('1')
  })

  it('never shows the token again', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    merchant.outcome = refusal(210304, 'payer_name_invalid')
    expect((await payAt(shopper)).html).not.toContain(TOKEN)
  })

  it('escapes what the customer typed', async () => {
    const { shopper } = await shopWith('vale-presente')
    const attack = '"><script>alert(1)</script>'
    const { html } = await payAt(shopper, { name: attack, cpf: '' })
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&lt;script&gt;alert(1)')
  })
})

describe('a refusal of the service', () => {
  it.each([
    [210216, 'charge_0_payment_info_token_invalid', 'card_not_accepted'],
    [210605, 'charge_0_payment_info_code_not_found', 'saved_card_unusable'],
    [90402, 'charge_0_payment_info_security_code_token_invalid', 'security_code_refused'],
    [210602, 'payment_exceed_limits', 'limit_exceeded'],
    [210603, 'payer_blacklisted', 'payer_refused'],
    [210601, 'unavailable_payment_method', 'method_unavailable'],
    [10003, 'header_authorization_invalid', 'try_later'],
    [210225, 'charge_payments_amount_sum_invalid', 'try_later'],
  ])('shows %i as %s in the words of %s', async (code, description, problem) => {
    const { shopper, merchant, logged } = await shopWith('vale-presente')
    merchant.outcome = refusal(code, description)
    const page = await payAt(shopper)
    expect(page.html).toContain(`data-error-code="${problem}"`)
    expect(page.html).not.toContain(description)
    expect(page.html).not.toContain(String(code))
    expect(logged.join()).toContain(description)
    expect(logged.join()).not.toContain(TOKEN)
  })

  it('leaves the next attempt a new reference', async () => {
    const { shopper, merchant } = await shopWith('vale-presente')
    merchant.outcome = refusal(210216, 'charge_0_payment_info_token_invalid')
    await payAt(shopper)
    merchant.outcome = 'PAID'
    await payAt(shopper)
    const [first, second] = merchant.asked.map(({ body }) => body.transaction.reference)
    expect(first).not.toBe(second)
  })
})

describe('a lost answer', () => {
  it.each([
    ['no answer', new MerchantConnectionError('time-out')],
    ['a failure of the service', new MerchantApiError(500, [])],
  ])('by %s is never shown as a decline', async (_, outcome) => {
    const { shopper, merchant } = await shopWith('vale-presente')
    merchant.outcome = outcome
    const { html } = await payAt(shopper)
    expect(html).toContain('data-state="unknown"')
    expect(html).toContain('Não pague outra vez')
  })
})
