import { createHash } from 'node:crypto'
import { ERRORS_PATH } from '@cofre/contracts/errors'
import { type Site, languageOf, languageRoutes } from '@cofre/pages'
import { Hono } from 'hono'
import { STYLE, errorsPage } from './errors-page.js'

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    `base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
}

/**
 * What a shop's developer reads.
 * @param url - Where browsers reach the sandbox.
 */
export function createReferenceRoutes(url: string): Hono {
  const site: Site = { url, name: 'cofre_sandbox', sameSite: 'Lax' }
  const app = new Hono({ strict: false })
  app.route('/', languageRoutes(site))
  app.get(ERRORS_PATH, async (context) =>
    context.html(await errorsPage(languageOf(context, site)), 200, HEADERS),
  )
  return app
}
