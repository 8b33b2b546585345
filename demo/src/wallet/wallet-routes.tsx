import { Hono } from 'hono'
import { refreshOrder } from '../order/order-refresh.js'
import { walletName } from '../order/order-payment.js'
import { renderPage } from '../page/render-page.js'
import { type ShopEnv, findOwnOrder } from '../shop-context.js'
import type { Shop } from '../shop.js'
import { WalletPage, WalletRedirect } from './wallet-page.js'

/** The way to a wallet's page and back. */
export function walletRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()

  app.get('/:reference', (c) => {
    const order = findOwnOrder(c, shop, c.req.param('reference'))
    if (order === undefined) return c.notFound()
    const { payment, state, reference } = order
    if (payment.kind !== 'wallet' || payment.pageUrl === undefined || state !== 'pending')
      return c.redirect(`/result/${reference}`, 303)
    const { messages } = c.var
    const name = walletName(payment.wallet)
    return renderPage(c, {
      title: messages.order.wallet.leaving(name),
      body: <WalletPage name={name} pageUrl={payment.pageUrl} messages={messages} />,
      head: <WalletRedirect pageUrl={payment.pageUrl} />,
    })
  })

  // Anyone can type either address, so the service is asked what became of the payment.
  app.get('/:reference/:answer{success|fail}', async (c) => {
    const order = findOwnOrder(c, shop, c.req.param('reference'))
    if (order === undefined) return c.notFound()
    await refreshOrder(shop, order)
    return c.redirect(`/result/${order.reference}`, 303)
  })

  return app
}
