import type { CartLine, CartTotals } from '../model/cart.js'
import { useView } from './view.js'

/** The lines of a cart or order, in brief. */
export function LineList({ lines }: { readonly lines: readonly CartLine[] }) {
  const { language, money } = useView()
  return (
    <ul class="line-list">
      {lines.map(({ product, quantity }) => (
        <li>
          <span>
            <span class="hint">{quantity}×</span> {product.texts[language].name}
          </span>
          <span class="number">{money(product.priceCentavos * quantity)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Subtotal, delivery and total. */
export function Totals({ totals }: { readonly totals: CartTotals }) {
  const { texts, money } = useView()
  const { cart } = texts
  const { subtotalCentavos, shippingCentavos, totalCentavos } = totals
  return (
    <dl class="totals">
      <dt>{cart.subtotal}</dt>
      <dd>{money(subtotalCentavos)}</dd>
      <dt>{cart.shipping}</dt>
      <dd>{shippingCentavos === 0 ? cart.freeShipping : money(shippingCentavos)}</dd>
      <dt class="grand-total">{cart.total}</dt>
      <dd class="grand-total" data-testid="total">
        {money(totalCentavos)}
      </dd>
    </dl>
  )
}
