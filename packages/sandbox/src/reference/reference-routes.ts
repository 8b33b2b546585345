import { createHash } from 'node:crypto'
import { ERRORS_PATH } from '@cofre/contracts/errors'
import {
  type Assets,
  type Site,
  languageOf,
  languageRoutes,
  openAssets,
  securityHeaders,
} from '@cofre/pages'
import { Hono } from 'hono'
import { STYLE, errorsPage } from './errors-page.js'
import { REFERENCE_PATH, referencePage } from './reference-page.js'

const NOT_STORED = { 'Cache-Control': 'no-store' }
const ERRORS_HEADERS = {
  ...NOT_STORED,
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    `base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
}
/** The build puts together here what the reference loads (`rollup.config.mjs`). */
const ASSETS_FOLDER = new URL('../../dist/assets/', import.meta.url)

/**
 * What a shop's developer reads.
 * @param url - Where browsers reach the sandbox.
 */
export function createReferenceRoutes(url: string): Hono {
  const site: Site = { url, name: 'cofre_sandbox', sameSite: 'Lax' }
  const app = new Hono({ strict: false })
  app.route('/', languageRoutes(site))
  app.get(ERRORS_PATH, async (context) =>
    context.html(await errorsPage(languageOf(context, site)), 200, ERRORS_HEADERS),
  )
  // Two megabytes, read once somebody wants them.
  let opened: Assets | undefined
  const assets = () => (opened ??= openAssets(ASSETS_FOLDER))
  app.use(
    REFERENCE_PATH,
    securityHeaders(site, { images: ['data:'], referrerPolicy: 'no-referrer' }),
  )
  app.get(REFERENCE_PATH, async (context) =>
    context.html(await referencePage(languageOf(context, site), assets()), 200, NOT_STORED),
  )
  app.get('/assets/:name', (context) => assets().routes.fetch(context.req.raw))
  return app
}
