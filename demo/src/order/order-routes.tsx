import { Hono } from 'hono'
import { putInCart } from '../cart/cart.js'
import { renderPage } from '../page/render-page.js'
import { type ShopContext, type ShopEnv, findOwnOrder } from '../shop-context.js'
import type { Shop } from '../shop.js'
import { FollowScript } from './followed-order.js'
import { OrderListPage } from './order-list-page.js'
import { noticeOf } from './order-notice.js'
import { OrderPage, type RunningOrderProps } from './order-page.js'
import { refreshOrder } from './order-refresh.js'
import { type Order, orderKey, orderVersion } from './order.js'
import { ResultPage } from './result-page.js'

export function orderRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()
  const propsOf = (c: ShopContext, order: Order): RunningOrderProps => {
    const { language, messages } = c.var
    return { order, nowMs: shop.clock.now(), panelUrl: shop.panelUrl, language, messages }
  }

  app.get('/orders', (c) => {
    const { language, messages, session } = c.var
    const orders = session === undefined ? [] : shop.orders.listOwn(session.id)
    const body = <OrderListPage orders={orders} language={language} messages={messages} />
    return renderPage(c, { title: messages.order.listTitle, body })
  })

  app.get('/orders/:key', (c) => {
    const order = findOwnOrder(c, shop, c.req.param('key'))
    if (order === undefined) return c.notFound()
    const body = <OrderPage {...propsOf(c, order)} />
    const title = c.var.messages.order.title(orderKey(order))
    return renderPage(c, { title, body, head: <FollowScript /> })
  })

  app.get('/:page{orders|result}/:key/version', (c) => {
    const order = findOwnOrder(c, shop, c.req.param('key'))
    if (order === undefined) return c.notFound()
    c.header('Cache-Control', 'no-store')
    return c.text(orderVersion(order))
  })

  app.post('/orders/:key/again', (c) => {
    const order = findOwnOrder(c, shop, c.req.param('key'))
    if (order === undefined) return c.notFound()
    shop.sessions.update(order.sessionId, (session) => ({
      ...session,
      cart: putInCart(session.cart, order.lines),
    }))
    return c.redirect('/cart', 303)
  })

  app.get('/result/:reference', (c) => {
    const order = findOwnOrder(c, shop, c.req.param('reference'))
    if (order === undefined) return c.notFound()
    const body = <ResultPage {...propsOf(c, order)} />
    const { title } = noticeOf(order, c.var.messages)
    return renderPage(c, { title, body, head: <FollowScript /> })
  })

  app.post('/:page{orders|result}/:key/check', async (c) => {
    const order = findOwnOrder(c, shop, c.req.param('key'))
    if (order === undefined) return c.notFound()
    await refreshOrder(shop, order)
    // The key may be a reference that has a code by now; both lead to the order.
    return c.redirect(`/${c.req.param('page')}/${c.req.param('key')}`, 303)
  })

  return app
}
