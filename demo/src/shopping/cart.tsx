import { fill, readForm } from '@cofre/pages'
import { Hono } from 'hono'
import type { PropsWithChildren } from 'hono/jsx'
import { type CartLine, QUANTITY_MAX, setQuantity, totalsOf } from '../model/cart.js'
import { findProduct } from '../model/product.js'
import { Totals } from '../page/goods.js'
import { ShopNotice, renderPage } from '../page/layout.js'
import { useView } from '../page/view.js'
import { type ShopEnv, ensureSession, linesOf } from '../page/visitor.js'
import { Illustration } from './catalogue.js'

export function cartRoutes(): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get('/cart', (c) => {
    const body = <CartPage lines={linesOf(c)} />
    return renderPage(c, { title: c.var.texts.cart.title, body })
  })

  app.post('/cart/items', async (c) => {
    const product = findProduct((await readForm(c)).get('product') ?? '')
    if (product === undefined) return c.notFound()
    const { cart } = ensureSession(c)
    setQuantity(cart, product, (cart.get(product.slug) ?? 0) + 1)
    return c.redirect('/cart', 303)
  })

  app.post('/cart/quantities', async (c) => {
    const form = await readForm(c)
    const product = findProduct(form.get('product') ?? '')
    const quantity = form.get('quantity') ?? ''
    if (product === undefined || !/^\d{1,3}$/.test(quantity)) return c.notFound()
    setQuantity(ensureSession(c).cart, product, Number(quantity))
    return c.redirect('/cart', 303)
  })

  return app
}

function CartPage({ lines }: { readonly lines: readonly CartLine[] }) {
  const { cart } = useView().texts
  if (lines.length === 0) return <ShopNotice {...cart.empty} />
  return (
    <div class="frame">
      <h1>{cart.title}</h1>
      <div class="columns">
        <ul class="stack">
          {lines.map((line) => (
            <CartRow {...line} />
          ))}
        </ul>
        <aside class="card" aria-labelledby="summary">
          <h2 id="summary">{cart.summary}</h2>
          <Totals totals={totalsOf(lines)} />
          <a class="button full" href="/checkout">
            {cart.checkout}
          </a>
          <p>
            <a href="/">{cart.keepShopping}</a>
          </p>
        </aside>
      </div>
    </div>
  )
}

function CartRow({ product, quantity }: CartLine) {
  const { texts, language, money } = useView()
  const { cart } = texts
  const { name } = product.texts[language]
  return (
    <li class="card cart-line" data-testid={`cart-${product.slug}`}>
      <Illustration slug={product.slug} />
      <div>
        <h2>{name}</h2>
        <p class="hint">{fill(cart.each, { price: money(product.priceCentavos) })}</p>
        {product.isMadeToOrder && <p class="hint">{cart.madeToOrder}</p>}
        <form class="actions" method="post" action="/cart/quantities">
          <input type="hidden" name="product" value={product.slug} />
          <QuantityButton to={quantity - 1} label={fill(cart.decrease, { name })}>
            −
          </QuantityButton>
          <span role="img" aria-label={fill(cart.quantity, { name, quantity })}>
            {quantity}
          </span>
          <QuantityButton to={quantity + 1} label={fill(cart.increase, { name })}>
            +
          </QuantityButton>
        </form>
      </div>
      <p class="price number">{money(product.priceCentavos * quantity)}</p>
    </li>
  )
}

interface QuantityButtonProps {
  readonly to: number
  readonly label: string
}

function QuantityButton({ to, label, children }: PropsWithChildren<QuantityButtonProps>) {
  return (
    <button
      class="quiet"
      name="quantity"
      value={String(to)}
      aria-label={label}
      disabled={to > QUANTITY_MAX}
    >
      {children}
    </button>
  )
}
