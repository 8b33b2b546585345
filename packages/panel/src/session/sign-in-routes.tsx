import { SECOND_MS, maskCardNumbers } from '@cofre/contracts'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ownPath } from '../http/own-path.js'
import { readForm } from '../http/posted-form.js'
import { setFlash } from '../page/flash.js'
import { renderPage } from '../page/render-page.js'
import {
  type PanelContext,
  type PanelEnv,
  forgetSession,
  rememberSession,
  viewOf,
} from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { closeSession, openSession } from './session-service.js'
import { signInMessages } from './sign-in-messages.js'
import type { SignInLockout } from './sign-in-lockout.js'
import { SignInPage, type SignInProblem } from './sign-in-page.js'

const STORE_ID_LENGTH_MAX = 64

/** Where somebody without a session goes, to come back to `to` afterwards. */
export function signInAddress(to: string, hadSession: boolean): string {
  return `/sign-in?${new URLSearchParams({ to, ...(hadSession && { expired: '1' }) }).toString()}`
}

export function signInRoutes(deps: PanelDeps, lockout: SignInLockout): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()

  app.get('/sign-in', (c) => {
    const to = ownPath(c.req.query('to') ?? '/')
    if (c.var.session !== undefined) return c.redirect(to, 303)
    const problem = c.req.query('expired') === '1' ? ({ kind: 'expired' } as const) : undefined
    return renderSignIn(c, deps, { to, storeId: '', problem, status: 200 })
  })

  app.post('/sign-in', async (c) => {
    const form = await readForm(c)
    const to = ownPath(form.get('to') ?? '/')
    const storeId = (form.get('store-id') ?? '').trim()
    const address = deps.addressOf(c.req.raw, c.env as object)
    const attempt = { storeId, address, visitId: c.var.visitId }
    const waitMs = lockout.begin(attempt)
    if (waitMs > 0) {
      c.header('Retry-After', String(Math.ceil(waitMs / SECOND_MS)))
      const problem = { kind: 'locked', waitMs } as const
      return renderSignIn(c, deps, { to, storeId, problem, status: 429 })
    }
    const signIn = await deps.desk.signIn(storeId, form.get('secret') ?? '')
    if (signIn === undefined) {
      deps.log.warn(
        { storeId: maskCardNumbers(storeId).slice(0, STORE_ID_LENGTH_MAX), address },
        'a sign-in to the panel failed',
      )
      return renderSignIn(c, deps, { to, storeId, problem: { kind: 'wrong' }, status: 401 })
    }
    lockout.succeed(attempt)
    if (c.var.session !== undefined) closeSession(deps, c.var.session)
    rememberSession(c, deps, openSession(deps, signIn))
    return c.redirect(to, 303)
  })

  app.post('/sign-out', (c) => {
    if (c.var.session !== undefined) closeSession(deps, c.var.session)
    forgetSession(c, deps)
    setFlash(c, deps, 'signed-out')
    return c.redirect('/sign-in', 303)
  })
  return app
}

interface SignIn {
  readonly to: string
  readonly storeId: string
  readonly problem: SignInProblem | undefined
  readonly status: ContentfulStatusCode
}

function renderSignIn(c: PanelContext, deps: PanelDeps, { status, ...signIn }: SignIn) {
  const { title } = signInMessages[c.var.language]
  return renderPage(c, deps, { title, body: <SignInPage view={viewOf(c)} {...signIn} />, status })
}
