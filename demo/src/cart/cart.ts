import type { Centavos } from '../centavos.js'
import { type Product, findProduct } from '../catalogue/product.js'

/** One price for the whole country; nothing for what comes by e-mail. */
const SHIPPING_CENTAVOS: Centavos = 1290
export const QUANTITY_MAX = 20

/** Quantities by the products' slugs, in the order they were added. */
export type Cart = ReadonlyMap<string, number>

/** A product in a quantity. */
export interface CartLine {
  readonly product: Product
  readonly quantity: number
}

/** What a cart costs. */
export interface CartTotals {
  readonly subtotalCentavos: Centavos
  readonly shippingCentavos: Centavos
  readonly totalCentavos: Centavos
}

export const EMPTY_CART: Cart = new Map()

export function addToCart(cart: Cart, product: Product): Cart {
  return setQuantity(cart, product, (cart.get(product.slug) ?? 0) + 1)
}

/** Zero takes the product out; more than {@link QUANTITY_MAX} is that many. */
export function setQuantity(cart: Cart, product: Product, quantity: number): Cart {
  const next = new Map(cart)
  if (quantity <= 0) next.delete(product.slug)
  else next.set(product.slug, Math.min(quantity, QUANTITY_MAX))
  return next
}

/** The cart with these goods in it too. */
export function putInCart(cart: Cart, lines: readonly CartLine[]): Cart {
  return lines.reduce(
    (next, { product, quantity }) =>
      setQuantity(next, product, (next.get(product.slug) ?? 0) + quantity),
    cart,
  )
}

/** The cart without these goods. */
export function takeFromCart(cart: Cart, lines: readonly CartLine[]): Cart {
  return lines.reduce(
    (next, { product, quantity }) =>
      setQuantity(next, product, (next.get(product.slug) ?? 0) - quantity),
    cart,
  )
}

export function cartLines(cart: Cart): readonly CartLine[] {
  return [...cart].flatMap(([slug, quantity]) => {
    const product = findProduct(slug)
    return product === undefined ? [] : [{ product, quantity }]
  })
}

export function countItems(cart: Cart): number {
  return [...cart.values()].reduce((count, quantity) => count + quantity, 0)
}

export function isShipped(lines: readonly CartLine[]): boolean {
  return lines.some(({ product }) => product.type === 'physical')
}

export function cartTotals(lines: readonly CartLine[]): CartTotals {
  const subtotalCentavos = lines.reduce(
    (sum, { product, quantity }) => sum + product.priceCentavos * quantity,
    0,
  )
  const shippingCentavos = isShipped(lines) ? SHIPPING_CENTAVOS : 0
  return {
    subtotalCentavos,
    shippingCentavos,
    totalCentavos: subtotalCentavos + shippingCentavos,
  }
}
