import type { CartLine, CartTotals } from '../model/cart.js'
import { useView } from './view.js'

/** The lines of a cart or order, in brief. */
export function LineList({ lines }: { readonly lines: readonly CartLine[] }) {
  const { language, money } = useView()
  return (
    <ul class="line-list">
      {lines.map(({ product, quantity }) => (
        <li class="row">
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
    <dl class="totals part">
      <div class="row">
        <dt>{cart.subtotal}</dt>
        <dd class="number">{money(subtotalCentavos)}</dd>
      </div>
      <div class="row">
        <dt>{cart.shipping}</dt>
        <dd class="number">
          {shippingCentavos === 0 ? cart.freeShipping : money(shippingCentavos)}
        </dd>
      </div>
      <div class="row grand-total">
        <dt>{cart.total}</dt>
        <dd class="number" data-testid="total">
          {money(totalCentavos)}
        </dd>
      </div>
    </dl>
  )
}
