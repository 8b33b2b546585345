import { fill } from '@cofre/pages'
import { Hono } from 'hono'
import { addLines } from '../model/cart.js'
import { elsewhereOf, isBeingIssued } from '../model/order.js'
import { renderPage } from '../page/layout.js'
import { assets } from '../page/view.js'
import { type ShopEnv, findOwnOrder } from '../page/visitor.js'
import { refreshOrder } from '../payment/refresh-order.js'
import { type Shop, ordersOf } from '../payment/shop.js'
import { elsewhereName, noticeOf } from '../texts/order-words.js'
import { OrderListPage, OrderPage } from './order-page.js'

/** The pages of orders, for the browser that placed them. */
export function orderRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get('/orders', (c) => {
    const { session, texts } = c.var
    const orders = session === undefined ? [] : ordersOf(shop, session)
    return renderPage(c, { title: texts.order.listTitle, body: <OrderListPage orders={orders} /> })
  })

  /**
   * `check` asks the service first. No notification comes of a transaction that never was, nor of a
   * boleto that its bank has issued: such an order is asked for each time. `leave` goes on to the
   * wallet or the card's bank: a redirect would need its origin in the policy of the checkout's
   * form, and it may be anywhere.
   */
  app.get('/orders/:key', async (c) => {
    const order = findOwnOrder(c, c.req.param('key'))
    if (order === undefined) return c.notFound()
    const { check, leave } = c.req.query()
    if (check !== undefined || order.state === 'unknown' || isBeingIssued(order))
      await refreshOrder(shop, order)
    const { texts, language } = c.var
    const url = leave === undefined ? undefined : elsewhereOf(order)
    const name = elsewhereName(order, texts)
    return renderPage(c, {
      title:
        url === undefined
          ? noticeOf(order, texts, language).title
          : fill(texts.order.wallet.leaving, { name }),
      body: <OrderPage order={order} />,
      head:
        url === undefined ? (
          <script type="module" src={assets.urlOf('follow-order.js')} />
        ) : (
          <meta http-equiv="refresh" content={`0; url=${url}`} />
        ),
    })
  })

  app.post('/orders/:key/again', (c) => {
    const order = findOwnOrder(c, c.req.param('key'))
    if (order === undefined) return c.notFound()
    addLines(order.session.cart, order.lines)
    return c.redirect('/cart', 303)
  })

  return app
}
