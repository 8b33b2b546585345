import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ERRORS_PATH, REFERENCE_PATH } from '@cofre/contracts/errors'
import {
  type Assets,
  type Site,
  languageOf,
  languageRoutes,
  openAssets,
  securityHeaders,
} from '@cofre/pages'
import { Hono } from 'hono'
import { errorsPage } from './errors-page.js'
import { referencePage } from './reference-page.js'

const NOT_STORED = { 'Cache-Control': 'no-store' }
/** The build writes the reference's assets here (`rollup.config.mjs`). */
const ASSETS_FOLDER = new URL('../../dist/assets/', import.meta.url)
/** The build copies the pages that errors link to here (`.ci/build.mjs`). */
const PAGES_FOLDER = new URL('../../dist/docs/', import.meta.url)
const PAGE_HEADERS = {
  ...NOT_STORED,
  'Content-Type': 'text/plain; charset=UTF-8',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * The reference for a shop's developers.
 * @param url - The sandbox's address for browsers.
 */
export function createReferenceRoutes(url: string): Hono {
  const site: Site = { url, name: 'cofre_sandbox', sameSite: 'Lax' }
  const app = new Hono({ strict: false })
  app.route('/', languageRoutes(site))
  // Two megabytes, so they are read on first use.
  let opened: Assets | undefined
  const assets = () => (opened ??= openAssets(ASSETS_FOLDER))
  const pages = { [REFERENCE_PATH]: referencePage, [ERRORS_PATH]: errorsPage }
  for (const [path, page] of Object.entries(pages)) {
    app.use(path, securityHeaders(site, { images: ['data:'], referrerPolicy: 'no-referrer' }))
    app.get(path, async (context) =>
      context.html(await page(languageOf(context, site), assets()), 200, NOT_STORED),
    )
  }
  for (const page of readdirSync(PAGES_FOLDER, { recursive: true, encoding: 'utf8' }))
    if (page.endsWith('.md')) servePage(app, page)
  app.get('/assets/:name', (context) => assets().routes.fetch(context.req.raw))
  return app
}

/** Serves Markdown unchanged, because every browser shows it. Read on the first request. */
function servePage(app: Hono, page: string): void {
  const file = new URL(page, PAGES_FOLDER)
  app.get(`${REFERENCE_PATH}/${page}`, async (context) =>
    context.body(await readFile(file, 'utf8'), 200, PAGE_HEADERS),
  )
}
