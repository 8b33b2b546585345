import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  DIGITABLE_LINE,
  FIRST_CODE,
  PIX_CODE,
  SAVED_CODE,
  searchElement,
} from '../merchant-client.fixture.js'
import { SHOP_URL, TOKEN, hiddenValue, openShopForTest, payAt, textOf } from '../shopper.fixture.js'

function newFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'demo-shop-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return path.join(folder, 'shop.json')
}

/** A browser that bought with a card it had saved and then put something else into the cart; its cookie, after it. */
async function buyAndLeave(stateFile: string): Promise<{ readonly Cookie: string }> {
  const shopper = openShopForTest({ stateFile }).newShopper()
  const { headers } = await shopper.post('/cart/items', { product: 'vale-presente' })
  await payAt(shopper, { save: 'yes', installments: '2' })
  await shopper.post('/cart/items', { product: 'livro-receitas' })
  return { Cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

describe('a shop with a state file', () => {
  it('knows cart, saved card and order after a restart', async () => {
    const stateFile = newFile()
    const headers = await buyAndLeave(stateFile)
    const { app, logged } = openShopForTest({ stateFile })
    const see = async (page: string): Promise<string> =>
      (await app.request(`${SHOP_URL}${page}`, { headers })).text()
    const checkout = await see('/checkout')
    expect(checkout).toContain(`value="${SAVED_CODE}"`)
    expect(checkout).toContain('12/2030')
    expect(textOf(checkout, 'cart-count')).toBe('1')
    const order = await see(`/orders/${FIRST_CODE}`)
    expect(order).toContain('data-state="paid"')
    expect(textOf(order, 'order-payment')).toBe('Visa final 1111')
    expect(logged).toEqual([])
  })

  it.each([
    ['pix', PIX_CODE],
    ['boleto', DIGITABLE_LINE],
    ['paypal', 'Continuar no PayPal'],
  ])('knows what a %s order is paid with, and its refunds', async (method, text) => {
    const stateFile = newFile()
    const before = openShopForTest({ stateFile })
    before.merchant.outcome = 'PENDING'
    const shopper = before.newShopper()
    const { headers } = await shopper.post('/cart/items', { product: 'vale-presente' })
    await payAt(shopper, { method })
    const Cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const after = openShopForTest({ stateFile })
    const see = async (page: string): Promise<string> =>
      (await after.app.request(`${SHOP_URL}${page}`, { headers: { Cookie } })).text()
    expect(await see(`/orders/${FIRST_CODE}`)).toContain(text)

    const reference = before.merchant.asked[0]?.body.transaction.reference ?? ''
    after.merchant.known.set(FIRST_CODE, searchElement(reference, 'COMPLETE'))
    const desk = await see(`/back-office/orders/${FIRST_CODE}`)
    const attempt = hiddenValue(desk, 'attempt')
    await after.newShopper().post(`/back-office/orders/${FIRST_CODE}/refunds`, { attempt })
    const { app } = openShopForTest({ stateFile })
    const last = await (
      await app.request(`${SHOP_URL}/orders/${FIRST_CODE}`, { headers: { Cookie } })
    ).text()
    expect(textOf(last, 'refund-status')).toBe('Em andamento')
    expect(last).toContain('Aguardando pagamento')
    expect(after.logged.join()).not.toContain('no state to read')
  })

  it('writes no token and nothing about the payer but the e-mail, for its owner only', async () => {
    const stateFile = newFile()
    await buyAndLeave(stateFile)
    const text = readFileSync(stateFile, 'utf8')
    expect(text).toContain(SAVED_CODE)
    for (const secret of [TOKEN, '529.982.247-25', 'Silva', '98765'])
      expect(text).not.toContain(secret)
    expect(statSync(stateFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(path.dirname(stateFile))).toEqual(['shop.json'])
  })

  it.each([
    ['empty', ''],
    ['not JSON', '{"sessions":[{"id":"maria@example.com'],
    ['not a state', '{"sessions":[7],"orders":[]}'],
    ['half a state', '{"sessions":[]}'],
    ['null', 'null'],
  ])('starts empty and says so when the file is %s', async (_, text) => {
    const stateFile = newFile()
    writeFileSync(stateFile, text)
    const { logged, newShopper } = openShopForTest({ stateFile })
    expect(logged).toHaveLength(1)
    expect(logged.join()).not.toContain('maria')
    expect((await newShopper().get('/')).status).toBe(200)
  })

  it('starts empty without a word when there is no file yet', async () => {
    const { logged, newShopper } = openShopForTest({ stateFile: newFile() })
    expect((await newShopper().get('/')).status).toBe(200)
    expect(logged).toEqual([])
  })

  it('sells on when the file cannot be written', async () => {
    const { logged, newShopper } = openShopForTest({
      stateFile: path.join(newFile(), 'no-such-folder', 'x.json'),
    })
    const shopper = newShopper()
    await shopper.post('/cart/items', { product: 'vale-presente' })
    expect((await payAt(shopper)).html).toContain('Pagamento aprovado')
    expect(logged.join()).toContain('ENOENT')
  })

  it('keeps the thousand sessions that changed last', async () => {
    const stateFile = newFile()
    writeFileSync(stateFile, sessionsNamed(1_500))
    await openShopForTest({ stateFile })
      .newShopper()
      .post('/cart/items', { product: 'vale-presente' })
    const { sessions } = JSON.parse(readFileSync(stateFile, 'utf8')) as {
      sessions: { id: string }[]
    }
    expect(sessions).toHaveLength(1_000)
    expect(sessions.at(-2)?.id).toBe('session-1499')
  })
})

function sessionsNamed(count: number): string {
  const sessions = Array.from({ length: count }, (_, index) => ({
    id: `session-${index}`,
    cart: [],
    savedCards: [],
  }))
  return JSON.stringify({ sessions, orders: [] })
}
