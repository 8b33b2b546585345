import { fill, readForm } from '@cofre/pages'
import { Hono } from 'hono'
import { orderKey } from '../model/order.js'
import { FollowScript } from '../order/order-parts.js'
import { sendVersion } from '../order/order-routes.js'
import { renderPage } from '../page/layout.js'
import type { ShopContext, ShopEnv } from '../page/visitor.js'
import { refreshOrder } from '../payment/refresh-order.js'
import { type RefundForm, requestRefund } from '../payment/refund.js'
import { type Shop, findOrder } from '../payment/shop.js'
import { BackOfficeListPage, BackOfficeOrderPage, type RefundProps } from './back-office-pages.js'

const ATTEMPT = /^[0-9a-f]{32}$/

/** The shop's own side: every order, and refunds. Open to whoever reaches the demonstration. */
export function backOfficeRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get('/', (c) => {
    const page = c.req.query('page') ?? ''
    const asked = /^\d{1,6}$/.test(page) ? Number(page) : 1
    const body = <BackOfficeListPage orders={[...shop.orders.values()].reverse()} asked={asked} />
    return renderPage(c, { title: c.var.texts.backOffice.title, body })
  })

  app.get('/orders/:key', (c) => {
    const order = findOrder(shop, c.req.param('key'))
    if (order === undefined) return c.notFound()
    const form = { attempt: shop.newId(), isPartial: false, amount: '', reference: '' }
    return showOrder(c, shop, { order, form, problem: undefined })
  })

  app.get('/orders/:key/version', async (c) => {
    const order = findOrder(shop, c.req.param('key'))
    return order === undefined ? c.notFound() : await sendVersion(c, shop, order)
  })

  // Where a browser stays after a refund was refused.
  app.get('/orders/:key/refunds', (c) =>
    c.redirect(`/back-office/orders/${encodeURIComponent(c.req.param('key'))}`, 303),
  )

  app.post('/orders/:key/refunds', async (c) => {
    const form = parseRefundForm(await readForm(c))
    const order = findOrder(shop, c.req.param('key'))
    if (order === undefined || form === undefined) return c.notFound()
    const problem = await requestRefund(shop, order, form)
    if (problem === undefined) return c.redirect(`/back-office/orders/${orderKey(order)}`, 303)
    return showOrder(c, shop, { order, form, problem })
  })

  return app
}

/** Undefined for a form that is not one of the shop's. */
function parseRefundForm(fields: ReadonlyMap<string, string>): RefundForm | undefined {
  const attempt = fields.get('attempt') ?? ''
  if (!ATTEMPT.test(attempt)) return undefined
  return {
    attempt,
    isPartial: fields.get('extent') === 'partial',
    amount: (fields.get('amount') ?? '').trim().slice(0, 20),
    reference: (fields.get('reference') ?? '').trim().slice(0, 200),
  }
}

/** Asks the service first, so that nobody decides about a refund by an old state. */
async function showOrder(c: ShopContext, shop: Shop, shown: RefundProps) {
  const isCurrent = await refreshOrder(shop, shown.order)
  const body = <BackOfficeOrderPage {...shown} isCurrent={isCurrent} />
  return renderPage(c, {
    title: fill(c.var.texts.order.title, { code: orderKey(shown.order) }),
    body,
    status: shown.problem === undefined ? 200 : 422,
    head: <FollowScript />,
  })
}
