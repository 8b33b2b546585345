import { createHash } from 'node:crypto'
import type { Language } from '@cofre/pages'
import { html, raw } from 'hono/html'
import { TRIAL_HEADER } from '../config/trial.js'
import texts from './trial-texts.json' with { type: 'json' }

export const TRIAL_TEXTS = texts

const PAGE_STYLE =
  ':root{color-scheme:light dark;background:canvas;color:canvastext;font:16px/1.5 system-ui,sans-serif}' +
  'body{margin:2rem auto;max-width:26rem;padding:0 1rem}label{display:block;margin:1rem 0 .25rem}' +
  'input,button{font:inherit;box-sizing:border-box;min-height:44px;padding:.5rem .75rem}input{width:100%}button{margin-top:1rem}'
// Above the page's own layout, in space that the root reserves. It scrolls away, so that it does
// not overlap sticky heads.
const BANNER_STYLE =
  'html{--trial:32px;padding-top:var(--trial)}' +
  '@media(max-width:56rem){html{--trial:52px}}@media(max-width:27rem){html{--trial:72px}}' +
  '.cofre-trial{position:absolute;top:0;left:0;right:0;height:var(--trial);box-sizing:border-box;margin:0;padding:6px 12px;' +
  'background:#5b3a00;color:#fff;font:600 14px/20px system-ui,sans-serif;text-align:center}'

const sourceOf = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`

export const TRIAL_PAGE_HEADERS = {
  /** Lets the doctor recognise a trial. */
  [TRIAL_HEADER]: 'asks for its password',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    `default-src 'none'; style-src ${sourceOf(PAGE_STYLE)}; ` +
    `base-uri 'none'; frame-ancestors 'none'; form-action 'self'`,
}

interface PasswordPage {
  readonly language: Language
  /** The requested page. */
  readonly to: string
  readonly error?: string | undefined
}

export function passwordPage({ language, to, error }: PasswordPage) {
  const text = texts[language]
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${text.title}</title>
        ${raw(`<style>${PAGE_STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>${text.title}</h1>
          <p>${text.text}</p>
          <p>${text.banner}</p>
          <form method="post" action="/trial-password">
            <input type="hidden" name="to" value="${to}" />
            <label for="password">${text.password}</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              autofocus
              aria-describedby="error"
            />
            <p id="error" role="alert">${error ?? ''}</p>
            <button>${text.open}</button>
          </form>
        </main>
      </body>
    </html>`
}

/** The page with a trial's banner above it, in the page's language. */
export async function withBanner(response: Response): Promise<Response> {
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html') === true
  if (!isPage || response.body === null) return response
  const page = await response.text()
  const end = page.indexOf('>', page.indexOf('<body')) + 1
  if (!page.includes('<body') || end === 0) return new Response(page, response)
  const language = page.slice(0, end).includes(' lang="en') ? 'en' : 'pt-BR'
  const { label, banner } = texts[language]
  const aside = `<style>${BANNER_STYLE}</style><aside class="cofre-trial" aria-label="${label}">${banner}</aside>`
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  const policy = headers.get('Content-Security-Policy')
  if (policy !== null) headers.set('Content-Security-Policy', withStyle(policy))
  return new Response(page.slice(0, end) + aside + page.slice(end), {
    status: response.status,
    headers,
  })
}

/** A policy that also allows the banner's style. */
function withStyle(policy: string): string {
  const own = sourceOf(BANNER_STYLE)
  const directives = policy.split(';').map((directive) => directive.trim())
  const at = directives.findIndex((directive) => directive.startsWith('style-src '))
  const found = directives[at] ?? 'style-src'
  // A hash would disable `unsafe-inline`.
  if (found.includes("'unsafe-inline'")) return policy
  const next = `${found.replace(" 'none'", '')} ${own}`
  return (at === -1 ? [...directives, next] : directives.with(at, next))
    .filter((directive) => directive !== '')
    .join('; ')
}
