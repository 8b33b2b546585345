import { UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { MalformedFormError, languageRoutes, limitForms, securityHeaders } from '@cofre/pages'
import { createLimited } from '@cofre/work'
import { Hono, type MiddlewareHandler } from 'hono'
import { figuresPage } from './figures/figures-page.js'
import { homeRoutes } from './frame/home.js'
import { assets } from './frame/layout.js'
import type { PanelDeps, PanelParts, SandboxParts } from './frame/panel-parts.js'
import { renderNotice } from './frame/render-page.js'
import {
  type ConsolePages,
  checkForm,
  createConsolePages,
  requireSession,
  signInPath,
} from './frame/console-pages.js'
import {
  type PanelContext,
  type PanelEnv,
  isUpload,
  readSession,
  readVisit,
} from './frame/visit.js'
import { checklistPage } from './sandbox/checklist.js'
import { clockPages } from './sandbox/clock.js'
import { storePages } from './store/store-page.js'
import { credentialsPages } from './store/credentials.js'
import { firstTransactionOf } from './sandbox/first-transaction.js'
import { liveRoutes } from './sandbox/live.js'
import { meRoutes } from './me/me-pages.js'
import { paymentLinkPages } from './payment-link/link-pages.js'
import { notificationPages } from './notification/notifications.js'
import { playedPaymentActions, playedPayments } from './sandbox/played-payment.js'
import { inboxRoutes, receiverPages } from './sandbox/receiver.js'
import { requestPages } from './sandbox/requests.js'
import { resetPages } from './sandbox/reset.js'
import { settlementPages } from './sandbox/settlement.js'
import { forgotRoutes } from './door/forgot.js'
import { linkRoutes } from './door/link.js'
import { signInRoutes, signOutRoutes } from './door/sign-in.js'
import { passkeyPartsOf } from './frame/passkeys.js'
import { stepUpRoutes } from './frame/step-up.js'
import { bringCookies, requireOwnHost } from './frame/own-host.js'
import { sandboxSignInRoutes } from './sandbox-sign-in/sign-in.js'
import { settlementPages as settlementsPages } from './settlement/settlement-pages.js'
import { testDataPage } from './sandbox/test-data.js'
import { chargePages } from './payment/acts/charge-pages.js'
import { refundPages } from './payment/acts/refund-pages.js'
import { actsPage } from './staff/acts-page.js'
import { peoplePages } from './staff/people-pages.js'
import { transactionListPage } from './payment/transaction-list.js'
import { payerSearchPages } from './payment/payer-search.js'
import { transactionPage } from './payment/transaction.js'

const SANDBOX_PAGES = [
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

/** The console. Give its `fetch` to a server that `publicUrl` reaches. */
export function createPanel(deps: PanelDeps): Hono<PanelEnv> {
  const site = { url: deps.publicUrl, name: 'cofre_panel', sameSite: 'Strict' } as const
  const parts: PanelParts = { ...deps, site, limited: createLimited() }
  const sandboxParts = sandboxPartsOf(parts)
  const app = new Hono<PanelEnv>()
  // Pictures of PIX codes are data URLs.
  app.use(securityHeaders(site, { images: ['data:'], referrerPolicy: 'no-referrer' }))
  app.route('/', assets.routes)
  // Before the check of forms: notifications come from elsewhere.
  if (sandboxParts !== undefined) app.route('/inbox', inboxRoutes(sandboxParts))

  app.use(requireOwnHost(parts), bringCookies())
  app.use(readVisit(parts))
  app.use(limitBodies(parts))
  app.use(readSession(parts))
  app.route('/', languageRoutes(site))
  for (const path of ['/sign-in/*', '/sign-out', '/link/*', '/forgot'])
    app.use(path, checkForm(parts))
  app.route('/', signOutRoutes(parts)).route('/', doorRoutes(parts))
  if (sandboxParts !== undefined) app.route('/', sandboxSignInRoutes(sandboxParts))

  app.use(requireSession(parts))
  app.use(checkForm(parts))
  const pages = createConsolePages(parts)
  paymentPages(pages, parts, sandboxParts)
  figuresPage(pages, parts)
  settlementsPages(pages, parts)
  notificationPages(pages, parts)
  storePages(pages, parts)
  if (parts.people !== undefined) {
    app.route('/', meRoutes(parts, parts.people))
    const passkeys = passkeyPartsOf(parts)
    if (passkeys !== undefined) app.route('/', stepUpRoutes(passkeys))
    peoplePages(pages, parts, parts.people)
    actsPage(pages, parts, parts.people)
  }
  if (sandboxParts !== undefined) for (const addTo of SANDBOX_PAGES) addTo(pages, sandboxParts)
  app.route('/:environment{production|sandbox}/:store', pages.app)
  app.route('/', homeRoutes(parts))
  app.all('*', (c) => renderNotice(c, parts, 'notFound'))

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

function paymentPages(
  pages: ConsolePages,
  parts: PanelParts,
  sandboxParts: ReturnType<typeof sandboxPartsOf>,
): void {
  const played = sandboxParts && playedPayments(sandboxParts)
  transactionListPage(pages, parts, sandboxParts && firstTransactionOf(sandboxParts))
  payerSearchPages(pages, parts)
  transactionPage(pages, { played, acts: parts.people?.acts })
  refundPages(pages)
  chargePages(pages)
  paymentLinkPages(pages, parts)
}

/** All but files, which are read as they come. */
function limitBodies(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  const limited = limitForms((c: PanelContext) => renderNotice(c, parts, 'tooLarge'))
  return async (c, next) => {
    if (!isUpload(c)) return await limited(c, next)
    await next()
    // What is left of a refused body is nobody's next request.
    c.header('Connection', 'close')
    return undefined
  }
}

function doorRoutes(parts: PanelParts): Hono<PanelEnv> {
  const { people } = parts
  const app = new Hono<PanelEnv>()
  if (people !== undefined)
    app
      .route('/', signInRoutes(parts, people))
      .route('/', forgotRoutes(parts, people))
      .route('/', linkRoutes(parts, people))
  else app.get('/sign-in', (c) => c.redirect(signInPath(parts), 303))
  return app
}

function sandboxPartsOf(parts: PanelParts): SandboxParts | undefined {
  const { sandbox } = parts.environments
  if (sandbox === undefined) return undefined
  const { apiUrl, backOffice, storeSessions, tools } = sandbox
  return { ...parts, backOffice, storeSessions, sandbox: tools, sandboxUrl: apiUrl }
}
