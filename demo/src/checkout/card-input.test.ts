import { describe, expect, it } from 'vitest'
import { CONTACT, openShopForTest, payAt } from '../shopper.fixture.js'

async function atCheckout(extra: Parameters<typeof openShopForTest>[0] = {}) {
  const shop = openShopForTest(extra)
  const shopper = shop.newShopper()
  await shopper.post('/cart/items', { product: 'vale-presente' })
  const checkout = async () => (await shopper.get('/checkout')).html
  const switchTo = (cardInput: string, fields: Record<string, string> = {}) =>
    shopper.post('/checkout', { 'card-input': cardInput, ...fields })
  return { ...shop, shopper, checkout, switchTo }
}

/** `aria-pressed` of the switch's buttons, by card input. */
const pressed = (html: string): Record<string, string> => {
  const found = [...html.matchAll(/data-card-input="(\w+)" aria-pressed="(\w+)"/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
}

describe('the switch of the checkout', () => {
  it('shows the shop’s own inputs until it is turned', async () => {
    const { checkout } = await atCheckout()
    const html = await checkout()
    expect(pressed(html)).toEqual({ own: 'true', hosted: 'false' })
    expect(html).toContain('id="card-number"')
    expect(html).not.toContain('id="card-fields"')
    expect(html).not.toContain('fields.cofre.min.js')
  })

  it('shows the vault’s fields, remembers it, and leads back', async () => {
    const { checkout, switchTo } = await atCheckout()
    expect(await switchTo('hosted')).toMatchObject({
      status: 303,
      location: '/checkout#card-payment',
    })
    for (let i = 0; i < 2; i++) {
      const html = await checkout()
      expect(pressed(html)).toEqual({ own: 'false', hosted: 'true' })
      expect(html).toMatch(/<div id="card-fields"><\/div>/)
      for (const id of ['card-number', 'card-expiry', 'card-cvv'])
        expect(html).not.toContain(`id="${id}"`)
    }
    await switchTo('own')
    expect(await checkout()).toContain('id="card-number"')
  })

  it('is each visitor’s own', async () => {
    const { newShopper, switchTo } = await atCheckout()
    await switchTo('hosted')
    const other = newShopper()
    await other.post('/cart/items', { product: 'vale-presente' })
    expect((await other.get('/checkout')).html).toContain('id="card-number"')
    expect(await newShopper().post('/checkout', { 'card-input': 'hosted' })).toMatchObject({
      status: 303,
      location: '/cart',
    })
  })

  it('keeps what was typed, and nothing of a card', async () => {
    const { checkout, merchant, switchTo } = await atCheckout()
    await switchTo('hosted', { ...CONTACT, token: 'the.token' })
    const html = await checkout()
    expect(html).toContain('value="maria@example.com"')
    expect(html).not.toContain('the.token')
    expect(merchant.asked).toEqual([])
  })
})

describe('the vault’s fields', () => {
  it('come from the vault, if they are the file that was meant, in a frame that the policy allows', async () => {
    const { shopper, switchTo } = await atCheckout()
    await switchTo('hosted')
    const { headers, html } = await shopper.get('/checkout')
    const [tag = ''] = /<script id="card-library"[^>]*>/.exec(html) ?? []
    expect(tag).toContain('src="https://vault.example/fields.cofre.min.js"')
    expect(tag).toContain('integrity="sha384-of-the-fields" crossorigin="anonymous"')
    expect(html).toContain('data-library-url="https://vault.example/fields.cofre.min.js"')
    expect(html).toContain('data-library-integrity="sha384-of-the-fields"')
    expect(html).not.toContain('payment.cofre.min.js')
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain('frame-src https://vault.example;')
    expect(policy).not.toContain('unsafe')
  })

  it.each(['sandbox', 'production'] as const)(
    'get no test card from the shop’s script: it shows what to type, in %s',
    async (environment) => {
      const { checkout, switchTo } = await atCheckout({ environment })
      expect(await checkout()).toMatch(/data-fill-test-data="[^"]*4111/)
      await switchTo('hosted')
      const hosted = await checkout()
      expect(hosted).toMatch(/4111111111111111[\s\S]*?12\/30 · 123/)
      const [, typed = ''] = /data-fill-test-data="([^"]*)"/.exec(hosted) ?? []
      expect(typed).toContain('maria.silva@example.com')
      expect(typed).not.toContain('4111')
    },
  )

  it('pay and save as own inputs do', async () => {
    const { merchant, shopper, switchTo } = await atCheckout()
    await switchTo('hosted')
    const { html } = await payAt(shopper, { save: 'yes' })
    expect(html).toContain('Pagamento aprovado')
    expect(html).toContain('Visa final 1111')
    expect(merchant.asked[0]?.body.charge[0]).toMatchObject({ 'payment-info': { save: true } })
    await shopper.post('/cart/items', { product: 'vale-presente' })
    const next = (await shopper.get('/checkout')).html
    expect(next).toContain('Pagar com meu cartão salvo: Visa **** 1111')
    expect(next).toContain('id="card-fields"')
  })
})
