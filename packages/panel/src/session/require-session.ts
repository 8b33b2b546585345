import type { MiddlewareHandler } from 'hono'
import { ownPath } from '../http/own-path.js'
import { readForm } from '../http/posted-form.js'
import { type PanelEnv, hasSessionCookie, viewOf } from '../panel-context.js'
import { signInAddress } from './sign-in-routes.js'

/** Leads who has not signed in, or no longer is, to the sign-in, and from there back to the page. */
export function requireSession(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const { session } = c.var
    if (session !== undefined) {
      c.set('signedIn', session)
      await next()
      return undefined
    }
    const page =
      c.req.method === 'POST' ? ownPath((await readForm(c)).get('here') ?? '/') : viewOf(c).here
    return c.redirect(signInAddress(page, hasSessionCookie(c)), 303)
  }
}
