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
   * `check` asks the service first. The service sends no notification of a transaction that it
   * never received, nor of an issued boleto: each view of such an order asks the service.
   * `leave` continues to the wallet's or issuer's page by a link: a redirect would need that page's
   * origin in the checkout's `form-action` policy, and the origin isn't known in advance.
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
