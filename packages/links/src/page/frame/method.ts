import { fill, properName } from '@cofre/pages'
import type { LinkMethod } from '../../model/payment-link.js'
import type { Texts } from '../text/texts.js'

/** What the page asks for and shows differs by these. */
export type MethodKind = 'card' | 'pix' | 'boleto' | 'wallet'

export function kindOf(method: LinkMethod): MethodKind {
  switch (method) {
    case 'credit-card':
      return 'card'
    case 'pix':
    case 'boleto':
      return method
    default:
      return 'wallet'
  }
}

/** `PIX`, `Credit card`, `PayPal`; of a wallet that the page does not know, its identifier. */
export function methodName(method: LinkMethod, { methods }: Texts): string {
  return fill(methods[kindOf(method)].title, { name: properName(method) })
}
