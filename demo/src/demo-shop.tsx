import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { cartRoutes } from './cart/cart-routes.js'
import { catalogueRoutes } from './catalogue/catalogue-routes.js'
import { checkoutRoutes } from './checkout/checkout-routes.js'
import { languageRoutes } from './language/language-routes.js'
import { notificationRoutes } from './order/notification-routes.js'
import { orderRoutes } from './order/order-routes.js'
import { NoticePage } from './page/notice-page.js'
import { renderPage } from './page/render-page.js'
import { securityHeaders } from './page/security-headers.js'
import { staticAssetRoutes } from './page/static-asset-routes.js'
import { walletRoutes } from './wallet/wallet-routes.js'
import { backOfficeRoutes } from './back-office/back-office-routes.js'
import type { DemoShopDeps } from './shop-deps.js'
import { type ShopEnv, readCookies } from './shop-context.js'
import { openShop } from './shop.js'

const FORM_BYTES_MAX = 64 * 1024

/** The demonstration shop. It does not listen: give its `fetch` to a server that `shopUrl` reaches. */
export function createDemoShop(deps: DemoShopDeps): Hono<ShopEnv> {
  const shop = openShop(deps)
  const app = new Hono<ShopEnv>()
  app.use(securityHeaders(shop))
  app.use(bodyLimit({ maxSize: FORM_BYTES_MAX }))
  app.route('/assets', staticAssetRoutes())
  // Before the origin check: the payment service posts from elsewhere.
  app.route('/notifications', notificationRoutes(shop))

  app.use(
    csrf({ origin: (origin, c) => [shop.origin, new URL(c.req.url).origin].includes(origin) }),
  )
  app.use(readCookies(shop))
  app.route('/', catalogueRoutes())
  app.route('/cart', cartRoutes(shop))
  app.route('/checkout', checkoutRoutes(shop))
  app.route('/', orderRoutes(shop))
  app.route('/wallet', walletRoutes(shop))
  app.route('/back-office', backOfficeRoutes(shop))
  app.route('/language', languageRoutes(shop))

  app.notFound((c) => {
    const { notFound } = c.var.messages.shop
    const body = <NoticePage notice={notFound} messages={c.var.messages} />
    return renderPage(c, { title: notFound.title, body, status: 404 })
  })
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse()
    shop.log.error({ error: error.message, method: c.req.method }, 'the shop failed to answer')
    return c.text('Algo deu errado. Tente de novo. / Something broke. Please try again.', 500)
  })
  return app
}
