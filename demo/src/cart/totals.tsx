import { formatCentavos } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import type { CartLine, CartTotals } from './cart.js'

interface TotalsProps {
  readonly totals: CartTotals
  readonly language: Language
  readonly messages: Messages
}

/** Subtotal, delivery and total. */
export function Totals({ totals, language, messages }: TotalsProps) {
  const { cart } = messages
  const { subtotalCentavos, shippingCentavos, totalCentavos } = totals
  return (
    <dl class="totals">
      <dt>{cart.subtotal}</dt>
      <dd>{formatCentavos(subtotalCentavos, language)}</dd>
      <dt>{cart.shipping}</dt>
      <dd>
        {shippingCentavos === 0 ? cart.freeShipping : formatCentavos(shippingCentavos, language)}
      </dd>
      <dt class="grand-total">{cart.total}</dt>
      <dd class="grand-total" data-testid="total">
        {formatCentavos(totalCentavos, language)}
      </dd>
    </dl>
  )
}

interface LineListProps {
  readonly lines: readonly CartLine[]
  readonly language: Language
}

/** The lines of a cart or order, in brief. */
export function LineList({ lines, language }: LineListProps) {
  return (
    <ul class="line-list">
      {lines.map(({ product, quantity }) => (
        <li>
          <span>
            <span class="times">{quantity}×</span> {product.texts[language].name}
          </span>
          <span>{formatCentavos(product.priceCentavos * quantity, language)}</span>
        </li>
      ))}
    </ul>
  )
}
