import { createHash } from 'node:crypto'
import { preferredLanguage } from '@cofre/pages'
import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { Config } from '../config/config.js'
import texts from './origin-page.json' with { type: 'json' }

type DescribedRole = Exclude<keyof typeof texts, 'links'>
type Link = keyof typeof texts.links

/** Pages of each role's own origin. */
const OWN: Readonly<Record<DescribedRole, readonly Link[]>> = {
  api: ['/openapi.json'],
  sandbox: ['/openapi.json'],
  vault: ['/integrity.json'],
  notices: [],
  metrics: ['/healthz', '/readyz', '/metrics'],
}
/** The sandbox's documents for programs that use a role. */
const OF_THE_SANDBOX: Readonly<Record<DescribedRole, readonly Link[]>> = {
  api: ['/docs', '/docs/errors'],
  sandbox: ['/docs', '/docs/errors'],
  vault: ['/docs/errors'],
  notices: [],
  metrics: [],
}

const STYLE =
  ':root{color-scheme:light dark;background:canvas;color:canvastext;font:16px/1.5 system-ui,sans-serif}body{margin:2rem}'
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)
const HEADERS = {
  'Cache-Control': 'no-store',
  Vary: 'Accept, Accept-Language',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    `base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
}

/**
 * Describes an origin at `/` and links its pages: HTML for browsers, text for terminals. A program
 * that asks for JSON has a wrong address, and gets the usual error.
 */
export function createOriginPage(
  role: DescribedRole,
  { endpoints, docsOrigin }: Pick<Config, 'endpoints' | 'docsOrigin'>,
): Hono {
  const docs = role === 'sandbox' ? endpoints.sandbox.publicUrl : docsOrigin
  const links = [
    ...(docs === undefined ? [] : OF_THE_SANDBOX[role].map((path) => [path, docs + path] as const)),
    ...OWN[role].map((path) => [path, endpoints[role].publicUrl + path] as const),
  ]
  const app = new Hono()
  app.get('/', async (c, next) => {
    const { accept = '*/*', 'accept-language': languages = '*' } = c.req.header()
    if (!/text\/|\*\/\*/i.test(accept)) {
      await next()
      return undefined
    }
    const language = preferredLanguage(languages)
    const { title, text } = texts[role][language]
    const lines = links.map(([path, url]) => ({ label: texts.links[path][language], url }))
    if (!/text\/html/i.test(accept))
      return c.text(
        [title, text, ...lines.map(({ label, url }) => `${label}: ${url}`), ''].join('\n'),
        200,
        HEADERS,
      )
    const page = html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          ${STYLE_ELEMENT}
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            <p>${text}</p>
            <ul>
              ${lines.map(({ label, url }) => html`<li><a href="${url}">${label}</a></li>`)}
            </ul>
          </main>
        </body>
      </html>`
    return c.html(page, 200, HEADERS)
  })
  return app
}
