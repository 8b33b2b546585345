import { Hono } from 'hono'
import { type ShopEnv, rememberLanguage } from '../shop-context.js'
import type { Shop } from '../shop.js'
import { parseLanguage } from './language.js'

/** Remembers a language and goes back to the page the reader came from. */
export function languageRoutes(shop: Shop): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()
  app.get('/:language', (c) => {
    const language = parseLanguage(c.req.param('language'))
    if (language === undefined) return c.notFound()
    rememberLanguage(c, shop, language)
    return c.redirect(ownPath(c.req.query('to') ?? '/', shop.origin), 303)
  })
  return app
}

/** The path alone of what may be an address of elsewhere. `//host` would be one too. */
function ownPath(address: string, origin: string): string {
  const path = URL.canParse(address, origin) ? new URL(address, origin).pathname : '/'
  // Schemes that are not http's keep a backslash, which browsers take for a slash.
  return `/${path.replace(/^[/\\]+/, '')}`
}
