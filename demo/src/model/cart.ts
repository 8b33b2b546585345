import type { Centavos } from './money.js'
import { type Product, findProduct } from './product.js'

/** One price for the whole country; goods sent by e-mail have free delivery. */
const SHIPPING_CENTAVOS: Centavos = 1290
export const QUANTITY_MAX = 20

/** Quantities by the products' slugs, in the order they were added. */
export type Cart = Map<string, number>

export interface CartLine {
  readonly product: Product
  readonly quantity: number
}

export interface CartTotals {
  readonly subtotalCentavos: Centavos
  readonly shippingCentavos: Centavos
  readonly totalCentavos: Centavos
}

/** Zero removes the product; a quantity above {@link QUANTITY_MAX} is reduced to it. */
export function setQuantity(cart: Cart, { slug }: Product, quantity: number): void {
  if (quantity <= 0) cart.delete(slug)
  else cart.set(slug, Math.min(quantity, QUANTITY_MAX))
}

/** Adds goods to a cart; `-1` removes them. */
export function addLines(cart: Cart, lines: readonly CartLine[], times: 1 | -1 = 1): void {
  for (const { product, quantity } of lines)
    setQuantity(cart, product, (cart.get(product.slug) ?? 0) + times * quantity)
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
  return lines.some(({ product }) => product.isShipped)
}

export function isMadeToOrder(lines: readonly CartLine[]): boolean {
  return lines.some(({ product }) => product.isMadeToOrder)
}

export function totalsOf(lines: readonly CartLine[]): CartTotals {
  const subtotalCentavos = lines.reduce(
    (sum, { product, quantity }) => sum + product.priceCentavos * quantity,
    0,
  )
  const shippingCentavos = isShipped(lines) ? SHIPPING_CENTAVOS : 0
  return { subtotalCentavos, shippingCentavos, totalCentavos: subtotalCentavos + shippingCentavos }
}
