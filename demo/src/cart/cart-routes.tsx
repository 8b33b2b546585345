import { Hono } from 'hono'
import { type Product, findProduct } from '../catalogue/product.js'
import { readForm } from '../page/posted-form.js'
import { renderPage } from '../page/render-page.js'
import { type ShopEnv, ensureSession } from '../shop-context.js'
import type { Shop } from '../shop.js'
import { EMPTY_CART, addToCart, cartLines, setQuantity } from './cart.js'
import { CartPage } from './cart-page.js'

export function cartRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get('/', (c) => {
    const { language, messages, session } = c.var
    const lines = cartLines(session?.cart ?? EMPTY_CART)
    const body = <CartPage lines={lines} language={language} messages={messages} />
    return renderPage(c, { title: messages.cart.title, body })
  })

  app.post('/items', async (c) => {
    const { product } = readItem(await readForm(c))
    if (product === undefined) return c.notFound()
    const { id } = ensureSession(c, shop)
    shop.sessions.update(id, (session) => ({
      ...session,
      cart: addToCart(session.cart, product),
    }))
    return c.redirect('/cart', 303)
  })

  app.post('/quantities', async (c) => {
    const { product, quantity } = readItem(await readForm(c))
    if (product === undefined || quantity === undefined) return c.notFound()
    const { id } = ensureSession(c, shop)
    shop.sessions.update(id, (session) => ({
      ...session,
      cart: setQuantity(session.cart, product, quantity),
    }))
    return c.redirect('/cart', 303)
  })

  return app
}

function readItem(form: ReadonlyMap<string, string>): {
  readonly product: Product | undefined
  readonly quantity: number | undefined
} {
  const quantity = form.get('quantity') ?? ''
  return {
    product: findProduct(form.get('product') ?? ''),
    quantity: /^\d{1,3}$/.test(quantity) ? Number(quantity) : undefined,
  }
}
