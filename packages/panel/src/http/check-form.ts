import type { MiddlewareHandler } from 'hono'
import { renderNotice } from '../page/render-page.js'
import type { PanelEnv } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { isCsrfToken } from '../session/session.js'
import { readForm } from './posted-form.js'
import { isFromOwnPage } from './same-origin.js'

/** Lets nothing be changed but by a form that this browser got from the panel. */
export function checkForm(deps: PanelDeps): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    if (c.req.method === 'POST') {
      const token = (await readForm(c)).get('csrf') ?? ''
      if (!isFromOwnPage(c.req.raw, deps.publicUrl) || !isCsrfToken(token, c.var.cookieId))
        return renderNotice(c, deps, { name: 'formRefused', status: 403 })
    }
    await next()
    return undefined
  }
}
