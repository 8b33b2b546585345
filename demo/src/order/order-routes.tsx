import { Hono } from 'hono'
import { renderPage } from '../page/render-page.js'
import type { ShopContext, ShopEnv } from '../shop-context.js'
import type { Shop } from '../shop.js'
import { OrderListPage } from './order-list-page.js'
import { OrderPage } from './order-page.js'
import { refreshOrder } from './order-refresh.js'
import { type Order, orderKey } from './order.js'
import { ResultPage } from './result-page.js'

export function orderRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()
  const findOwn = (c: ShopContext, key: string): Order | undefined =>
    c.var.session === undefined ? undefined : shop.orders.findOwn(c.var.session.id, key)

  app.get('/orders', (c) => {
    const { language, messages, session } = c.var
    const orders = session === undefined ? [] : shop.orders.listOwn(session.id)
    const body = <OrderListPage orders={orders} language={language} messages={messages} />
    return renderPage(c, { title: messages.order.listTitle, body })
  })

  app.get('/orders/:code', (c) => {
    const order = findOwn(c, c.req.param('code'))
    if (order === undefined) return c.notFound()
    const { language, messages } = c.var
    const body = <OrderPage order={order} language={language} messages={messages} />
    return renderPage(c, { title: messages.order.title(orderKey(order)), body })
  })

  app.get('/result/:reference', (c) => {
    const order = findOwn(c, c.req.param('reference'))
    if (order === undefined) return c.notFound()
    const { language, messages } = c.var
    const body = <ResultPage order={order} language={language} messages={messages} />
    return renderPage(c, { title: messages.order.results[order.state].title, body })
  })

  app.post('/result/:reference/check', async (c) => {
    const order = findOwn(c, c.req.param('reference'))
    if (order === undefined) return c.notFound()
    await refreshOrder(shop, order)
    return c.redirect(`/result/${order.reference}`, 303)
  })

  return app
}
