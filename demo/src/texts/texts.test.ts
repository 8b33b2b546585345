import { describe, expect, it } from 'vitest'
import { openShopForTest, payAt } from '../shopper.fixture.js'
import { TEXTS } from './texts.js'

/** Every text's path, with its placeholders. */
function placeholdersOf(value: object, path = ''): [path: string, placeholders: string[]][] {
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) => {
    const at = `${path}${key}`
    if (typeof entry === 'object' && entry !== null) return placeholdersOf(entry, `${at}.`)
    expect(typeof entry === 'string' && entry.trim() !== '', at).toBe(true)
    return [[at, [...new Set(String(entry).match(/\{\w+\}/g))].toSorted()]]
  })
}

it('both languages have the same texts with the same placeholders, and none is empty', () => {
  const [portuguese, english] = [TEXTS['pt-BR'], TEXTS.en].map((texts) => placeholdersOf(texts))
  expect(english).toEqual(portuguese)
})

describe('the language switch', () => {
  it('is Portuguese until it is changed, and remembered', async () => {
    const shopper = openShopForTest().newShopper()
    expect((await shopper.get('/cart')).html).toContain('<html lang="pt-BR">')
    const changed = await shopper.get('/language/en?to=%2Fcart')
    expect(changed).toMatchObject({ status: 303, location: '/cart' })
    expect((await shopper.get('/cart')).html).toContain('<html lang="en">')
    expect((await shopper.get('/')).html).toContain('Add Ceramic mug to the cart')
  })

  it('is the browser’s language, until the customer chooses', async () => {
    const shopper = openShopForTest().newShopper({ 'Accept-Language': 'en-US,en;q=0.9' })
    expect((await shopper.get('/')).html).toContain('<html lang="en">')
    await shopper.get('/language/pt-BR')
    expect((await shopper.get('/')).html).toContain('<html lang="pt-BR">')
  })

  it('never leads to another shop, and knows no other language', async () => {
    const shopper = openShopForTest().newShopper()
    const { location } = await shopper.get('/language/en?to=%2F%2Fevil.example%2Fx')
    expect(location).toBe('/x')
    expect((await shopper.get('/language/xx')).status).toBe(404)
  })

  it('reaches the payment service in the form that it takes', async () => {
    const { newShopper, merchant } = openShopForTest()
    const shopper = newShopper({ 'Accept-Language': 'en' })
    await shopper.post('/cart/items', { product: 'vale-presente' })
    await payAt(shopper)
    expect(merchant.asked[0]?.body.transaction.language).toBe('en-US')
  })
})
