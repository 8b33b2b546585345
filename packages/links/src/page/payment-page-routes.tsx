import {
  MalformedFormError,
  type Site,
  languageRoutes,
  limitForms,
  securityHeaders,
} from '@cofre/pages'
import { type Context, Hono } from 'hono'
import type { PaymentPageOptions } from './page-options.js'
import type { PaymentPage } from '../model/payment-page.js'
import { addPayRoutes } from './pay-routes.js'
import { createRenderPage, renderNotice } from './frame/layout.js'
import { ROOT, assets } from './frame/view.js'
import { addTryRoutes } from './try-routes.js'

const PAGES = '/pay/*'

/**
 * The payment page: `/pay/<link>` and `/pay/<link>/<try>`, and their files. An address is a secret:
 * anyone who knows it sees the page, so neither may be logged.
 */
export function createPaymentPageRoutes(gateway: PaymentPage, options: PaymentPageOptions): Hono {
  const site: Site = { url: options.url, name: 'pay', sameSite: 'Lax' }
  const { vaultUrl } = options.cardFields
  const render = createRenderPage(site)
  const app = new Hono({ strict: false })
  app.route('/', assets.routes).route('/', languageRoutes(site, ROOT))
  const headers = securityHeaders(site, {
    scripts: [new URL(vaultUrl).origin],
    frames: [new URL(vaultUrl).origin],
    referrerPolicy: 'no-referrer',
  })
  app.use(PAGES, headers, async (c, next) => {
    await next()
    c.header('X-Robots-Tag', 'noindex, nofollow')
  })
  app.use(
    PAGES,
    limitForms((c: Context) => renderNotice(c, render, 'form')),
  )
  const parts = { gateway, options, site, render }
  addPayRoutes(app, parts)
  addTryRoutes(app, parts)
  app.all(PAGES, (c) => renderNotice(c, render, 'missing'))
  app.onError((error, c) => {
    if (error instanceof MalformedFormError) return renderNotice(c, render, 'form')
    options.log.error({ error, method: c.req.method }, 'the payment page failed')
    return renderNotice(c, render, options.isUnavailable(error) ? 'unavailable' : 'failed')
  })
  return app
}
