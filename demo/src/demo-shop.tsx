import { MalformedFormError, languageRoutes, limitForms, securityHeaders } from '@cofre/pages'
import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { backOfficeRoutes } from './back-office/back-office.js'
import { checkoutRoutes } from './checkout/checkout-routes.js'
import { notificationRoutes } from './order/notification-routes.js'
import { orderRoutes } from './order/order-routes.js'
import { renderNotice } from './page/layout.js'
import { assets } from './page/view.js'
import { type ShopContext, type ShopEnv, readVisitor } from './page/visitor.js'
import { type DemoShopDeps, openShop } from './payment/shop.js'
import { cartRoutes } from './shopping/cart.js'
import { catalogueRoutes } from './shopping/catalogue.js'

/** The demonstration shop. It does not listen: give its `fetch` to a server at `shopUrl`. */
export function createDemoShop(deps: DemoShopDeps): Hono<ShopEnv> {
  const shop = openShop(deps)
  const { site, log } = shop
  const vault = new URL(shop.library.url).origin
  const app = new Hono<ShopEnv>()
  app.use(
    securityHeaders(site, {
      scripts: [vault],
      calls: [vault],
      frames: [vault],
      images: [new URL(shop.payerUrl).origin],
      // Browsers send `Origin: null` with a form under `no-referrer`, and the origin check needs
      // it.
      referrerPolicy: 'same-origin',
    }),
  )
  app.route('/', assets.routes)
  app.use(readVisitor(shop))
  app.use(limitForms((c: ShopContext) => renderNotice(c, 'tooLarge', 413)))
  // Before the origin check: the payment service posts from another origin.
  app.route('/notifications', notificationRoutes(shop))

  app.use(csrf({ origin: (origin, c) => [site.url, new URL(c.req.url).origin].includes(origin) }))
  app.route('/', catalogueRoutes())
  app.route('/', cartRoutes())
  app.route('/', checkoutRoutes(shop))
  app.route('/', orderRoutes(shop))
  app.route('/', backOfficeRoutes(shop))
  app.route('/', languageRoutes(site))

  app.notFound((c) => renderNotice(c, 'notFound', 404))
  app.onError((error, c) => {
    if (error instanceof MalformedFormError) return renderNotice(c, 'notAForm', 400)
    if (error instanceof HTTPException) return error.getResponse()
    log.error({ error: error.message, method: c.req.method }, 'the shop failed to answer')
    return c.text('Algo deu errado. Tente de novo. / Something broke. Please try again.', 500)
  })
  return app
}
