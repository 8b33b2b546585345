import { UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { MalformedFormError, languageRoutes, limitForms, securityHeaders } from '@cofre/pages'
import { Hono } from 'hono'
import { assets } from './frame/layout.js'
import type { PanelDeps, PanelParts } from './frame/panel-parts.js'
import { renderNotice } from './frame/render-page.js'
import { checkForm, createStorePages } from './frame/store-pages.js'
import { type PanelContext, type PanelEnv, readCookies } from './frame/visit.js'
import { checklistPage } from './pages/checklist.js'
import { clockPages } from './pages/clock.js'
import { credentialsPages } from './pages/credentials.js'
import { liveRoutes } from './pages/live.js'
import { notificationPages } from './pages/notifications.js'
import { inboxRoutes, receiverPages } from './pages/receiver.js'
import { requestPages } from './pages/requests.js'
import { resetPages } from './pages/reset.js'
import { settlementPages } from './pages/settlement.js'
import { signInRoutes } from './pages/sign-in.js'
import { testDataPage } from './pages/test-data.js'
import { transactionListPage } from './pages/transaction-list.js'
import { transactionPages } from './pages/transaction.js'
import { createSignInLockout } from './session/sign-in-lockout.js'

const STORE_PAGES = [
  transactionListPage,
  transactionPages,
  notificationPages,
  receiverPages,
  requestPages,
  checklistPage,
  testDataPage,
  clockPages,
  settlementPages,
  credentialsPages,
  resetPages,
  liveRoutes,
]

/** The merchant test panel. Give its `fetch` to a server that `publicUrl` reaches. */
export function createPanel(deps: PanelDeps): Hono<PanelEnv> {
  const site = { url: deps.publicUrl, name: 'cofre_panel', sameSite: 'Strict' } as const
  const parts: PanelParts = { ...deps, site, lockout: createSignInLockout(deps.clock) }
  const app = new Hono<PanelEnv>()
  // Pictures of PIX codes are data URLs.
  app.use(securityHeaders(site, { images: ['data:'], referrerPolicy: 'no-referrer' }))
  app.route('/', assets.routes)
  // Before the check of forms: notifications come from elsewhere.
  app.route('/inbox', inboxRoutes(parts))

  app.use(readCookies(parts))
  app.use(limitForms((c: PanelContext) => renderNotice(c, parts, 'tooLarge')))
  app.route('/', languageRoutes(site))
  app.use('/sign-in', checkForm(parts))
  app.use('/sign-out', checkForm(parts))
  app.route('/', signInRoutes(parts))

  const storePages = createStorePages(parts)
  storePages.app.get('/', (c) => c.redirect('/transactions', 303))
  for (const addTo of STORE_PAGES) addTo(storePages, parts)
  storePages.app.all('*', (c) => renderNotice(c, parts, 'notFound'))
  app.route('/', storePages.app)

  app.onError((error, c) => {
    if (error instanceof MalformedFormError) return renderNotice(c, parts, 'notAForm')
    // Without its path, which may be an inbox's address. The request has its own log line.
    parts.log.error({ error, method: c.req.method }, 'the panel failed to answer')
    if (!parts.isUnavailable(error)) return renderNotice(c, parts, 'failed')
    c.header('Retry-After', String(UNAVAILABLE_RETRY_SECONDS))
    return renderNotice(c, parts, 'unavailable')
  })
  return app
}
