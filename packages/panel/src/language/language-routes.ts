import { Hono } from 'hono'
import { ownPath } from '../http/own-path.js'
import { type PanelEnv, rememberLanguage } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { parseLanguage } from './language.js'

/** Remembers a language and goes back to the page the reader came from. */
export function languageRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.get('/language/:language', (c) => {
    const language = parseLanguage(c.req.param('language'))
    if (language === undefined) return c.notFound()
    rememberLanguage(c, deps, language)
    return c.redirect(ownPath(c.req.query('to') ?? '/'), 303)
  })
  return app
}
