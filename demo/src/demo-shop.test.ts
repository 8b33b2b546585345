import { describe, expect, it } from 'vitest'
import { PRODUCTS } from './model/product.js'
import { SHOP_URL, openShopForTest, textByTestId } from './shopper.fixture.js'

describe('the shop front', () => {
  it('shows every product with its price', async () => {
    const { status, html } = await openShopForTest().newShopper().get('/')
    expect(status).toBe(200)
    for (const { texts } of PRODUCTS) expect(html).toContain(texts['pt-BR'].name)
    expect(html).toContain('42,90')
  })

  it('allows scripts and connections of its own and of the vault only, and nothing inline', async () => {
    const { headers, html } = await openShopForTest().newShopper().get('/')
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self' https://vault.example;")
    expect(policy).toContain("connect-src 'self' https://vault.example;")
    expect(policy).toContain('frame-src https://vault.example;')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/)
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('X-Frame-Options')).toBe('DENY')
  })

  it('opens a session for who buys, not for who looks', async () => {
    const shopper = openShopForTest().newShopper()
    expect((await shopper.get('/')).headers.getSetCookie()).toEqual([])
    const bought = await shopper.post('/cart/items', { product: 'vale-presente' })
    expect(bought.headers.get('Set-Cookie')).toMatch(
      /^__Host-serra_session=[0-9a-f]{32}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const { headers } = await shopper.get('/language/en')
    expect(headers.get('Set-Cookie')).toMatch(
      /^__Host-serra_language=en; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('gives its cookies names without a prefix where it is not on https', async () => {
    const shopper = openShopForTest({ shopUrl: 'http://127.0.0.1:8084' }).newShopper()
    const { headers } = await shopper.post('/cart/items', { product: 'vale-presente' })
    expect(headers.get('Set-Cookie')).toMatch(
      /^serra_session=[0-9a-f]{32}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  it.each([
    ['sandbox', 'ambiente sandbox', 'serra_session='],
    ['production', 'ambiente de produção', 'serra_production_session='],
  ] as const)(
    'shows that it is in %s, and has its own cookies',
    async (environment, said, cookie) => {
      const shopUrl = 'http://127.0.0.1:8084'
      const shopper = openShopForTest({ environment, shopUrl }).newShopper()
      expect((await shopper.get('/')).html).toContain(said)
      const { headers } = await shopper.post('/cart/items', { product: 'vale-presente' })
      expect(headers.get('Set-Cookie')).toContain(cookie)
    },
  )

  it('accepts no planted session', async () => {
    const shopper = openShopForTest().newShopper()
    const planted = 'a'.repeat(32)
    const cookies = { Cookie: `serra_session=${planted}; __Host-serra_session=${planted}` }
    const { headers } = await shopper.post(
      '/cart/items',
      { product: 'vale-presente' },
      { Origin: SHOP_URL, ...cookies },
    )
    expect(headers.get('Set-Cookie')).not.toContain(planted)
  })

  it('serves its own files and no others', async () => {
    const shopper = openShopForTest().newShopper()
    const style = await shopper.get('/assets/shop.css')
    expect(style.headers.get('Content-Type')).toContain('text/css')
    expect((await shopper.get('/assets/../package.json')).status).toBe(404)
    expect((await shopper.get('/assets/package.json')).status).toBe(404)
  })

  it('has a page for what is not there', async () => {
    const page = await openShopForTest().newShopper().get('/nowhere')
    expect(page.status).toBe(404)
    expect(page.html).toContain('Página não encontrada')
  })
})

describe('the cart', () => {
  it('counts, changes and forgets', async () => {
    const shopper = openShopForTest().newShopper()
    await shopper.submit('/cart/items', { product: 'cafe-alvorada' })
    const two = await shopper.submit('/cart/items', { product: 'cafe-alvorada' })
    expect(textByTestId(two.html, 'cart-count')).toBe('2')
    expect(textByTestId(two.html, 'total')).toContain('98,70')
    const five = await shopper.submit('/cart/quantities', {
      product: 'cafe-alvorada',
      quantity: '5',
    })
    expect(textByTestId(five.html, 'total')).toContain('227,40')
    const none = await shopper.submit('/cart/quantities', {
      product: 'cafe-alvorada',
      quantity: '0',
    })
    expect(none.html).toContain('Seu carrinho está vazio')
  })

  it.each([
    ['/cart/items', { product: 'gold' }],
    ['/cart/items', {}],
    ['/cart/quantities', { product: 'vale-presente', quantity: '-1' }],
  ])('refuses %s with %j', async (path, fields) => {
    const page = await openShopForTest().newShopper().post(path, fields)
    expect(page.status).toBe(404)
  })

  it.each([
    ['another site', { Origin: 'https://evil.example' }],
    ['another site, by fetch metadata', { 'Sec-Fetch-Site': 'cross-site' }],
    ['nowhere', {}],
  ])('refuses a post from %s', async (_, headers) => {
    const shopper = openShopForTest().newShopper()
    const page = await shopper.post('/cart/items', { product: 'vale-presente' }, headers)
    expect(page.status).toBe(403)
    expect(textByTestId((await shopper.get('/')).html, 'cart-count')).toBe('0')
  })

  it('accepts a post from its own pages', async () => {
    const shopper = openShopForTest().newShopper()
    const page = await shopper.post(
      '/cart/items',
      { product: 'vale-presente' },
      { Origin: SHOP_URL },
    )
    expect(page).toMatchObject({ status: 303, location: '/cart' })
  })
})
