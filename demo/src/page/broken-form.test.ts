import { describe, expect, it } from 'vitest'
import { CONNECTION, SHOP_URL, openShopForTest } from '../shopper.fixture.js'

const FORMS = ['/cart/items', '/cart/quantities', '/checkout', '/back-office/1']
const BUTTONS = ['/orders/1/again']
const MULTIPART = 'multipart/form-data; boundary=----FormBoundary7MA4YWxkTrZu0gW'
const PART =
  '------FormBoundary7MA4YWxkTrZu0gW\r\nContent-Disposition: form-data; name="product"\r\n\r\nvale-presente\r\n'

const BODIES: readonly (readonly [type: string, body: string | Uint8Array<ArrayBuffer>])[] = [
  ['multipart/form-data', PART],
  [MULTIPART, ''],
  [MULTIPART, PART],
  [MULTIPART, 'product=vale-presente'],
  ['multipart/form-data; boundary=c', PART],
  [MULTIPART, new Uint8Array([0x2d, 0xff, 0xfe, 0])],
  ['application/json', '{"product":"vale-presente"}'],
  ['text/plain', 'product=vale-presente'],
]

function send(path: string, type: string, body: string | Uint8Array<ArrayBuffer>) {
  const shop = openShopForTest()
  const headers = { 'Content-Type': type, Origin: SHOP_URL, 'Accept-Language': 'en' }
  const init = { method: 'POST', headers, body }
  return { shop, answer: shop.app.request(`${SHOP_URL}${path}`, init, CONNECTION) }
}

describe('a body that is no form', () => {
  it.each(FORMS)('is answered 400 with a page by %s, and reported as no fault', async (path) => {
    for (const [type, body] of BODIES) {
      const { shop, answer } = send(path, type, body)
      const { status, headers } = await answer
      expect([type, body, status]).toEqual([type, body, 400])
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
      expect(headers.getSetCookie()).toEqual([])
      expect(await (await answer).text()).toContain('We couldn’t read the form')
      expect(shop.logged).toEqual([])
    }
  })

  it.each(BUTTONS)('is nothing to %s, which has no fields', async (path) => {
    for (const [type, body] of BODIES)
      expect((await send(path, type, body).answer).status).toBe(404)
  })
})

describe('a form', () => {
  const form = 'application/x-www-form-urlencoded'

  it.each(['=&=&&%zz=%', 'product=%ff%fe', '__proto__=1&constructor=2', 'product=%00'])(
    'with what no browser sends does nothing: %s',
    async (fields) => {
      const { shop, answer } = send('/cart/items', form, fields)
      expect((await answer).status).toBe(404)
      expect(shop.logged).toEqual([])
    },
  )

  it('is refused with a page beyond 64 KiB', async () => {
    const { answer } = send('/checkout', form, `name=${'x'.repeat(70_000)}`)
    expect((await answer).status).toBe(413)
    expect(await (await answer).text()).toContain('The form is too large')
  })
})
