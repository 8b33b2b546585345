import type { Language } from '@cofre/pages'
import type { Centavos } from './money.js'
import products from './products.json' with { type: 'json' }

export interface Product {
  /** Identifier in addresses, forms and drawings. */
  readonly slug: string
  /** False for goods sent by e-mail. */
  readonly isShipped: boolean
  /** True for goods that ship later: a card is charged when they leave. */
  readonly isMadeToOrder?: boolean
  /** As the API accepts it in `cart[].category`. */
  readonly category: string
  readonly priceCentavos: Centavos
  readonly texts: Readonly<Record<Language, { readonly name: string; readonly about: string }>>
}

export const PRODUCTS: readonly Product[] = products

export function findProduct(slug: string): Product | undefined {
  return PRODUCTS.find((product) => product.slug === slug)
}
