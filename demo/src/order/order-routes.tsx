import { fill } from '@cofre/pages'
import { type Context, Hono } from 'hono'
import { addLines } from '../model/cart.js'
import { type Order, elsewhereOf, isBeingIssued, orderKey, orderVersion } from '../model/order.js'
import { renderPage } from '../page/layout.js'
import { type ShopContext, type ShopEnv, findOwnOrder } from '../page/visitor.js'
import { refreshOrder } from '../payment/refresh-order.js'
import { type Shop, ordersOf } from '../payment/shop.js'
import { elsewhereName, noticeOf } from '../texts/order-words.js'
import { LeavingPage, OrderListPage, OrderPage, ResultPage } from './order-page.js'
import { FollowScript } from './order-parts.js'

/** The pages of orders, for the browser that placed them. */
export function orderRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get('/orders', (c) => {
    const { session, texts } = c.var
    const orders = session === undefined ? [] : ordersOf(shop, session)
    return renderPage(c, { title: texts.order.listTitle, body: <OrderListPage orders={orders} /> })
  })

  app.get('/:page{orders|result}/:key', (c) => {
    const { page, key } = c.req.param()
    const order = findOwnOrder(c, key)
    if (order === undefined) return c.notFound()
    const { texts, language } = c.var
    const orderTitle = fill(texts.order.title, { code: orderKey(order) })
    const title = page === 'result' ? noticeOf(order, texts, language).title : orderTitle
    const body = page === 'result' ? <ResultPage order={order} /> : <OrderPage order={order} />
    return renderPage(c, { title, body, head: <FollowScript /> })
  })

  app.get('/:page{orders|result}/:key/version', async (c) => {
    const order = findOwnOrder(c, c.req.param('key'))
    return order === undefined ? c.notFound() : await sendVersion(c, shop, order)
  })

  app.post('/orders/:key/again', (c) => {
    const order = findOwnOrder(c, c.req.param('key'))
    if (order === undefined) return c.notFound()
    addLines(order.session.cart, order.lines)
    return c.redirect('/cart', 303)
  })

  app.post('/:page{orders|result}/:key/check', async (c) => {
    const { page, key } = c.req.param()
    const order = findOwnOrder(c, key)
    if (order === undefined) return c.notFound()
    await refreshOrder(shop, order)
    // The key may be a reference that has a code by now: both lead to the order.
    return c.redirect(`/${page}/${key}`, 303)
  })

  app.get('/:way{wallet|bank}/:key', (c) => {
    const order = findOwnOrder(c, c.req.param('key'))
    return order === undefined ? c.notFound() : leave(c, order)
  })

  // Anyone can type either address, so the service reports what became of the payment.
  app.get('/:way{wallet|bank}/:key/:outcome{success|fail}', async (c) => {
    const order = findOwnOrder(c, c.req.param('key'))
    if (order === undefined) return c.notFound()
    await refreshOrder(shop, order)
    return c.redirect(`/result/${order.reference}`, 303)
  })

  return app
}

/**
 * What the script compares: it loads the page again only when the version has changed. No
 * notification comes of a transaction that never was, nor of a boleto that its bank has issued:
 * such an order is asked for.
 */
async function sendVersion(c: Context, shop: Shop, order: Order) {
  if (order.state === 'unknown' || isBeingIssued(order)) await refreshOrder(shop, order)
  c.header('Cache-Control', 'no-store')
  return c.text(orderVersion(order))
}

/**
 * Sends the browser to the wallet or the card's bank with a page. A redirect would need its origin
 * in the policy of the checkout's form, and it may be anywhere.
 */
function leave(c: ShopContext, order: Order) {
  const url = elsewhereOf(order)
  if (url === undefined) return c.redirect(`/result/${order.reference}`, 303)
  const name = elsewhereName(order, c.var.texts)
  return renderPage(c, {
    title: fill(c.var.texts.order.wallet.leaving, { name }),
    body: <LeavingPage name={name} url={url} />,
    head: <meta http-equiv="refresh" content={`0; url=${url}`} />,
  })
}
