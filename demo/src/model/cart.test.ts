import { describe, expect, it } from 'vitest'
import { PRODUCTS, type Product, findProduct } from './product.js'
import {
  type Cart,
  QUANTITY_MAX,
  addLines,
  cartLines,
  countItems,
  setQuantity,
  totalsOf,
} from './cart.js'

function product(slug: string): Product {
  const found = findProduct(slug)
  if (found === undefined) throw new Error(`no product ${slug}`)
  return found
}

const coffee = product('cafe-alvorada')
const gift = product('vale-presente')

function cartOf(...products: readonly Product[]): Cart {
  const cart: Cart = new Map()
  for (const one of products) addLines(cart, [{ product: one, quantity: 1 }])
  return cart
}

describe('a cart', () => {
  it('adds up in centavos, with one delivery for all that is shipped', () => {
    const cart = cartOf(coffee, gift, coffee)
    expect(countItems(cart)).toBe(3)
    expect(totalsOf(cartLines(cart))).toEqual({
      subtotalCentavos: 2 * 4290 + 10000,
      shippingCentavos: 1290,
      totalCentavos: 2 * 4290 + 10000 + 1290,
    })
  })

  it('delivers digital goods for nothing', () => {
    expect(totalsOf(cartLines(cartOf(gift)))).toMatchObject({
      shippingCentavos: 0,
      totalCentavos: 10000,
    })
  })

  it('drops a product at quantity zero and holds at most 20 of one product', () => {
    const cart = cartOf(coffee)
    setQuantity(cart, gift, 999)
    expect(cart.get(gift.slug)).toBe(QUANTITY_MAX)
    setQuantity(cart, coffee, 0)
    expect([...cart.keys()]).toEqual([gift.slug])
  })

  it('leaves out what the shop no longer sells', () => {
    expect(cartLines(new Map([['sold-out', 1]]))).toEqual([])
  })
})

describe('the catalogue', () => {
  it('has prices in whole centavos and names that the service accepts', () => {
    for (const { priceCentavos, texts } of PRODUCTS) {
      expect(Number.isSafeInteger(priceCentavos) && priceCentavos > 0).toBe(true)
      for (const { name } of Object.values(texts)) expect(name.length).toBeLessThanOrEqual(200)
    }
    expect(new Set(PRODUCTS.map(({ slug }) => slug)).size).toBe(PRODUCTS.length)
  })
})
