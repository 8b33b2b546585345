import { formatCentavos } from '../centavos.js'
import { Illustration } from '../catalogue/illustration.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { NoticePage } from '../page/notice-page.js'
import { type CartLine, QUANTITY_MAX, cartTotals } from './cart.js'
import { Totals } from './totals.js'

interface CartPageProps {
  readonly lines: readonly CartLine[]
  readonly language: Language
  readonly messages: Messages
}

/** What is in the cart, and the way to the checkout. */
export function CartPage({ lines, language, messages }: CartPageProps) {
  const { cart } = messages
  if (lines.length === 0) return <NoticePage notice={cart.empty} messages={messages} />
  return (
    <div class="frame">
      <h1>{cart.title}</h1>
      <div class="columns">
        <ul class="cart-lines">
          {lines.map((line) => (
            <CartRow line={line} language={language} messages={messages} />
          ))}
        </ul>
        <aside class="card" aria-labelledby="summary">
          <h2 id="summary">{cart.summary}</h2>
          <Totals totals={cartTotals(lines)} language={language} messages={messages} />
          <a class="button wide" href="/checkout">
            {cart.checkout}
          </a>
          <a class="quiet-link" href="/">
            {cart.keepShopping}
          </a>
        </aside>
      </div>
    </div>
  )
}

interface CartRowProps {
  readonly line: CartLine
  readonly language: Language
  readonly messages: Messages
}

function CartRow({ line: { product, quantity }, language, messages }: CartRowProps) {
  const { cart } = messages
  const { name } = product.texts[language]
  return (
    <li class="cart-line" data-testid={`cart-${product.slug}`}>
      <Illustration picture={product.picture} />
      <div class="cart-line-text">
        <h2>{name}</h2>
        <p class="about">{cart.each(formatCentavos(product.priceCentavos, language))}</p>
        <div class="cart-line-actions">
          <form class="stepper" method="post" action="/cart/quantities">
            <input type="hidden" name="product" value={product.slug} />
            <button
              type="submit"
              name="quantity"
              value={String(quantity - 1)}
              aria-label={cart.decrease(name)}
            >
              −
            </button>
            <span role="img" aria-label={cart.quantity(name, quantity)}>
              {quantity}
            </span>
            <button
              type="submit"
              name="quantity"
              value={String(quantity + 1)}
              aria-label={cart.increase(name)}
              disabled={quantity >= QUANTITY_MAX}
            >
              +
            </button>
          </form>
          <form method="post" action="/cart/quantities">
            <input type="hidden" name="product" value={product.slug} />
            <button
              class="quiet-button"
              type="submit"
              name="quantity"
              value="0"
              aria-label={cart.removeLabel(name)}
            >
              {cart.remove}
            </button>
          </form>
        </div>
      </div>
      <p class="line-total">{formatCentavos(product.priceCentavos * quantity, language)}</p>
    </li>
  )
}
