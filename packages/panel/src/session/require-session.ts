import type { MiddlewareHandler } from 'hono'
import { isByScript } from '../http/by-script.js'
import { ownPath } from '../http/own-path.js'
import { readForm } from '../http/posted-form.js'
import { type PanelEnv, hasSessionCookie, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { noteUse } from './session-service.js'
import { signInAddress } from './sign-in-routes.js'

/** Leads who has not signed in, or no longer is, to the sign-in, and from there back to the page. */
export function requireSession(deps: PanelDeps): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const { session } = c.var
    if (session !== undefined) {
      c.set('signedIn', session)
      if (!isByScript(c.req)) noteUse(deps, session)
      await next()
      return undefined
    }
    const page =
      c.req.method === 'POST' ? ownPath((await readForm(c)).get('here') ?? '/') : viewOf(c).here
    return c.redirect(signInAddress(page, hasSessionCookie(c, deps)), 303)
  }
}
