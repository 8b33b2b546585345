import { describe, expect, it } from 'vitest'
import { PRODUCTS, type Product, findProduct } from '../catalogue/product.js'
import {
  EMPTY_CART,
  QUANTITY_MAX,
  addToCart,
  cartLines,
  cartTotals,
  countItems,
  setQuantity,
} from './cart.js'

function product(slug: string): Product {
  const found = findProduct(slug)
  if (found === undefined) throw new Error(`no product ${slug}`)
  return found
}

const coffee = product('cafe-alvorada')
const gift = product('vale-presente')

describe('a cart', () => {
  it('adds up in centavos, with one delivery for all that is shipped', () => {
    const cart = addToCart(addToCart(addToCart(EMPTY_CART, coffee), gift), coffee)
    expect(countItems(cart)).toBe(3)
    expect(cartTotals(cartLines(cart))).toEqual({
      subtotalCentavos: 2 * 4290 + 10000,
      shippingCentavos: 1290,
      totalCentavos: 2 * 4290 + 10000 + 1290,
    })
  })

  it('delivers digital goods for nothing', () => {
    expect(cartTotals(cartLines(addToCart(EMPTY_CART, gift)))).toMatchObject({
      shippingCentavos: 0,
      totalCentavos: 10000,
    })
  })

  it('forgets a product in the quantity of zero and stops at the most of one product', () => {
    const cart = setQuantity(addToCart(EMPTY_CART, coffee), gift, 999)
    expect(cart.get(gift.slug)).toBe(QUANTITY_MAX)
    expect([...setQuantity(cart, coffee, 0).keys()]).toEqual([gift.slug])
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
