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
import { renderNotice } from './page/notice-page.js'
import { MalformedFormError } from './page/posted-form.js'
import { securityHeaders } from './page/security-headers.js'
import { staticAssetRoutes } from './page/static-asset-routes.js'
import { walletRoutes } from './wallet/wallet-routes.js'
import { backOfficeRoutes } from './back-office/back-office-routes.js'
import type { DemoShopDeps } from './shop-deps.js'
import { type ShopContext, type ShopEnv, readCookies } from './shop-context.js'
import { openShop } from './shop.js'

const BODY_BYTES_MAX = 64 * 1024

/** The demonstration shop. It does not listen: give its `fetch` to a server that `shopUrl` reaches. */
export function createDemoShop(deps: DemoShopDeps): Hono<ShopEnv> {
  const shop = openShop(deps)
  const app = new Hono<ShopEnv>()
  app.use(securityHeaders(shop))
  app.route('/assets', staticAssetRoutes())
  // Before the origin check: the payment service posts from elsewhere.
  app.use('/notifications', bodyLimit({ maxSize: BODY_BYTES_MAX }))
  app.route('/notifications', notificationRoutes(shop))

  app.use(
    csrf({ origin: (origin, c) => [shop.origin, new URL(c.req.url).origin].includes(origin) }),
  )
  app.use(readCookies(shop))
  const tooLarge = (c: ShopContext) => renderNotice(c, { name: 'tooLarge', status: 413 })
  app.use(bodyLimit({ maxSize: BODY_BYTES_MAX, onError: tooLarge }))
  app.route('/', catalogueRoutes())
  app.route('/cart', cartRoutes(shop))
  app.route('/checkout', checkoutRoutes(shop))
  app.route('/', orderRoutes(shop))
  app.route('/wallet', walletRoutes(shop))
  app.route('/back-office', backOfficeRoutes(shop))
  app.route('/language', languageRoutes(shop))

  app.notFound((c) => renderNotice(c, { name: 'notFound', status: 404 }))
  app.onError((error, c) => {
    if (error instanceof MalformedFormError)
      return renderNotice(c, { name: 'notAForm', status: 400 })
    if (error instanceof HTTPException) return error.getResponse()
    shop.log.error({ error: error.message, method: c.req.method }, 'the shop failed to answer')
    return c.text('Algo deu errado. Tente de novo. / Something broke. Please try again.', 500)
  })
  return app
}
