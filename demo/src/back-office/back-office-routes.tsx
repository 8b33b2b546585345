import { Hono } from 'hono'
import { FollowScript } from '../order/followed-order.js'
import { refreshOrder } from '../order/order-refresh.js'
import { type Order, orderKey, orderVersion } from '../order/order.js'
import { readForm } from '../page/posted-form.js'
import { renderPage } from '../page/render-page.js'
import type { ShopContext, ShopEnv } from '../shop-context.js'
import type { Shop } from '../shop.js'
import { OrderDeskListPage } from './order-desk-list-page.js'
import { OrderDeskPage } from './order-desk-page.js'
import { listOrders } from './order-listing.js'
import { type RefundForm, emptyRefundForm, parseRefundForm } from './refund-form.js'
import type { RefundProblem } from './refund-problem.js'
import { requestRefund } from './request-refund.js'

/** What an order's page shows. */
interface Shown {
  readonly order: Order
  readonly form: RefundForm
  readonly problem: RefundProblem | undefined
}

/** The shop's own side: every order, and refunds. Open to whoever reaches the demonstration. */
export function backOfficeRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get('/', (c) => {
    const { language, messages } = c.var
    const listing = listOrders(shop.orders.list(), c.req.query('page'))
    const body = <OrderDeskListPage listing={listing} language={language} messages={messages} />
    return renderPage(c, { title: messages.backOffice.title, body })
  })

  app.get('/orders/:key', (c) => {
    const order = shop.orders.find(c.req.param('key'))
    if (order === undefined) return c.notFound()
    const form = emptyRefundForm(shop.newAttempt())
    return showOrder(c, shop, { order, form, problem: undefined })
  })

  app.get('/orders/:key/version', (c) => {
    const order = shop.orders.find(c.req.param('key'))
    if (order === undefined) return c.notFound()
    c.header('Cache-Control', 'no-store')
    return c.text(orderVersion(order))
  })

  // Where a browser stays after a refund was refused.
  app.get('/orders/:key/refunds', (c) =>
    c.redirect(`/back-office/orders/${encodeURIComponent(c.req.param('key'))}`, 303),
  )

  app.post('/orders/:key/refunds', async (c) => {
    const form = parseRefundForm(await readForm(c))
    const order = shop.orders.find(c.req.param('key'))
    if (order === undefined || form === undefined) return c.notFound()
    const problem = await requestRefund(shop, order, form)
    if (problem === undefined) return c.redirect(`/back-office/orders/${orderKey(order)}`, 303)
    return showOrder(c, shop, { order, form, problem })
  })

  return app
}

/** Asks the service first: who decides about a refund should not decide by an old state. */
async function showOrder(c: ShopContext, shop: Shop, { order: known, form, problem }: Shown) {
  const isCurrent = await refreshOrder(shop, known)
  const order = shop.orders.findByReference(known.reference) ?? known
  const { language, messages } = c.var
  const body = (
    <OrderDeskPage
      order={order}
      form={form}
      problem={problem}
      isCurrent={isCurrent}
      panelUrl={shop.panelUrl}
      language={language}
      messages={messages}
    />
  )
  return renderPage(c, {
    title: messages.order.title(orderKey(order)),
    body,
    status: problem === undefined ? 200 : 422,
    head: <FollowScript />,
  })
}
