import { UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { MalformedFormError, languageRoutes, limitForms, securityHeaders } from '@cofre/pages'
import { Hono } from 'hono'
import { figuresPage } from './figures/figures-page.js'
import { assets } from './frame/layout.js'
import type { PanelDeps, PanelParts } from './frame/panel-parts.js'
import { renderNotice } from './frame/render-page.js'
import { checkForm, createConsolePages } from './frame/console-pages.js'
import { type PanelContext, type PanelEnv, readCookies } from './frame/visit.js'
import { checklistPage } from './sandbox/checklist.js'
import { clockPages } from './sandbox/clock.js'
import { credentialsPages } from './store/credentials.js'
import { firstTransactionOf } from './sandbox/first-transaction.js'
import { liveRoutes } from './sandbox/live.js'
import { notificationPages } from './notification/notifications.js'
import { playedPaymentActions, playedPayments } from './sandbox/played-payment.js'
import { inboxRoutes, receiverPages } from './sandbox/receiver.js'
import { requestPages } from './sandbox/requests.js'
import { resetPages } from './sandbox/reset.js'
import { settlementPages } from './sandbox/settlement.js'
import { signInRoutes } from './sandbox-sign-in/sign-in.js'
import { testDataPage } from './sandbox/test-data.js'
import { transactionListPage } from './payment/transaction-list.js'
import { transactionPage } from './payment/transaction.js'
import { createSignInLockout } from './session/sign-in-lockout.js'

const CONSOLE_PAGES = [
  figuresPage,
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
  playedPaymentActions,
]

/** The merchant test panel. Give its `fetch` to a server that `publicUrl` reaches. */
export function createPanel(deps: PanelDeps): Hono<PanelEnv> {
  const site = { url: deps.publicUrl, name: 'cofre_panel', sameSite: 'Strict' } as const
  const lockout = createSignInLockout(deps.clock)
  const parts: PanelParts = { ...deps, site, lockout, files: new Map() }
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

  const consolePages = createConsolePages(parts)
  consolePages.app.get('/', (c) => c.redirect('/transactions', 303))
  transactionListPage(consolePages, parts, firstTransactionOf(parts))
  transactionPage(consolePages, parts, playedPayments(parts))
  for (const addTo of CONSOLE_PAGES) addTo(consolePages, parts)
  consolePages.app.all('*', (c) => renderNotice(c, parts, 'notFound'))
  app.route('/', consolePages.app)

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
