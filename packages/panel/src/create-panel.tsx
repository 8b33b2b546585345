import { UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { checklistRoutes } from './checklist/checklist-routes.js'
import { clockRoutes } from './clock/clock-routes.js'
import { credentialsRoutes } from './credentials/credentials-routes.js'
import { checkForm } from './http/check-form.js'
import { MalformedFormError } from './http/posted-form.js'
import { securityHeaders } from './http/security-headers.js'
import { languageRoutes } from './language/language-routes.js'
import { liveRoutes } from './live/live-routes.js'
import { notificationRoutes } from './notification/notification-routes.js'
import { renderNotice } from './page/render-page.js'
import { staticAssetRoutes } from './page/static-asset-routes.js'
import { type PanelContext, type PanelEnv, readCookies } from './panel-context.js'
import type { PanelDeps } from './panel-deps.js'
import { inboxRoutes } from './receiver/inbox-routes.js'
import { receiverRoutes } from './receiver/receiver-routes.js'
import { requestRoutes } from './request/request-routes.js'
import { resetRoutes } from './reset/reset-routes.js'
import { requireSession } from './session/require-session.js'
import { type SignInLockout, createSignInLockout } from './session/sign-in-lockout.js'
import { signInRoutes } from './session/sign-in-routes.js'
import { settlementRoutes } from './settlement/settlement-routes.js'
import { testDataRoutes } from './test-data/test-data-routes.js'
import { refundRoutes } from './transaction/refund-routes.js'
import { transactionRoutes } from './transaction/transaction-routes.js'

const FORM_BYTES_MAX = 64 * 1024

/** The merchant test panel. It does not listen: give its `fetch` to a server that `publicUrl` reaches. */
export function createPanel(deps: PanelDeps): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.use(securityHeaders(deps.publicUrl))
  app.route('/assets', staticAssetRoutes())
  // Before the check of forms: notifications come from elsewhere.
  app.route('/inbox', inboxRoutes(deps))

  app.use(readCookies(deps))
  app.use(
    bodyLimit({
      maxSize: FORM_BYTES_MAX,
      onError: (c: PanelContext) => renderNotice(c, deps, { name: 'tooLarge', status: 413 }),
    }),
  )
  app.route('/', languageRoutes(deps))
  app.use('/sign-in', checkForm(deps))
  app.use('/sign-out', checkForm(deps))
  const lockout = createSignInLockout(deps.clock)
  app.route('/', signInRoutes(deps, lockout))
  app.route('/', storeRoutes(deps, lockout))

  app.onError((error, c) => {
    if (error instanceof MalformedFormError)
      return renderNotice(c, deps, { name: 'notAForm', status: 400 })
    // Without its path, which may be an inbox's address: the request's own line has what may be kept of it.
    deps.log.error({ error, method: c.req.method }, 'the panel failed to answer')
    if (!deps.isUnavailable(error))
      return renderNotice(c, deps, { name: 'brokenDown', status: 500 })
    c.header('Retry-After', String(UNAVAILABLE_RETRY_SECONDS))
    return renderNotice(c, deps, { name: 'unavailable', status: 503 })
  })
  return app
}

/** Everything that belongs to the store of the session. */
function storeRoutes(deps: PanelDeps, lockout: SignInLockout): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.use(requireSession(deps))
  app.use(checkForm(deps))
  app.get('/', (c) => c.redirect('/transactions', 303))
  app.route('/', transactionRoutes(deps))
  app.route('/', refundRoutes(deps))
  app.route('/', notificationRoutes(deps))
  app.route('/', receiverRoutes(deps))
  app.route('/', requestRoutes(deps))
  app.route('/', checklistRoutes(deps))
  app.route('/', testDataRoutes(deps))
  app.route('/', clockRoutes(deps))
  app.route('/', settlementRoutes(deps))
  app.route('/', credentialsRoutes(deps, lockout))
  app.route('/', resetRoutes(deps))
  app.route('/', liveRoutes(deps))
  app.all('*', (c) => renderNotice(c, deps, { name: 'notFound', status: 404 }))
  return app
}
