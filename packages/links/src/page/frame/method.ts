import { fill, properName } from '@cofre/pages'
import type { LinkMethod } from '../../model/payment-link.js'
import type { Texts } from '../text/texts.js'

/** The kinds of methods, by which the page's fields and texts differ. */
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

/** `PIX`, `Credit card`, `PayPal`; for an unknown wallet, its identifier. */
export function methodName(method: LinkMethod, { methods }: Texts): string {
  return fill(methods[kindOf(method)].title, { name: properName(method) })
}
