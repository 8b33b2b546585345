import { type Context, Hono } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { type Site, readCookie, writeCookie } from './site.js'

export const LANGUAGES = ['pt-BR', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

const DEFAULT_LANGUAGE: Language = 'pt-BR'
const COOKIE_LIFETIME_S = 365 * 24 * 60 * 60

/** The region of a range is ignored: a reader of `pt-PT` gets `pt-BR`. */
const KNOWN_RANGES: ReadonlyMap<string, Language> = new Map([
  ['pt', 'pt-BR'],
  ['en', 'en'],
  ['*', DEFAULT_LANGUAGE],
])

/**
 * The language that the reader chose, else the content's, else the one that the browser prefers.
 * @param shown - The language tag of the content, if it has one.
 */
export function languageOf(c: Context, site: Site, shown?: string): Language {
  const chosen = parseLanguage(readCookie(c, site, cookieOf(site)))
  if (chosen !== undefined) return chosen
  const known = shown === undefined ? undefined : knownLanguage(shown)
  return known ?? preferredLanguage(c.req.header('Accept-Language') ?? '*')
}

function cookieOf({ name }: Site): string {
  return `${name}_language`
}

function parseLanguage(text: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === text)
}

/**
 * The first known language of an `Accept-Language` header (RFC 9110, 12.5.4). An invalid weight
 * counts as 1.
 */
export function preferredLanguage(accepted: string): Language {
  const [preferred] = parseAccept(accepted)
    .filter(({ q }) => q > 0)
    .flatMap(({ type }) => knownLanguage(type) ?? [])
  return preferred ?? DEFAULT_LANGUAGE
}

function knownLanguage(range: string): Language | undefined {
  return KNOWN_RANGES.get(range.replace(/-.*/, '').toLowerCase())
}

/**
 * The address of a link that changes the language and leads back to the page `here`.
 * @param root - Prefix of the site's addresses, as `/pay-page`.
 */
export function languageAddress(language: Language, here: string, root = ''): string {
  return `${root}/language/${language}?to=${encodeURIComponent(here)}`
}

/** Stores the language that a link chose, and redirects back to its page. */
export function languageRoutes(site: Site, root = ''): Hono {
  const app = new Hono()
  app.get(`${root}/language/:language`, (c) => {
    const value = parseLanguage(c.req.param('language'))
    if (value === undefined) return c.notFound()
    writeCookie(c, site, { name: cookieOf(site), value, lifetimeS: COOKIE_LIFETIME_S })
    return c.redirect(ownPath(c.req.query('to') ?? '/'), 303)
  })
  return app
}

const ANY_ORIGIN = 'http://site.invalid'

/** Path and query of an address; drops a host, as in `//host`. */
export function ownPath(address: string): string {
  if (!URL.canParse(address, ANY_ORIGIN)) return '/'
  const { pathname, search } = new URL(address, ANY_ORIGIN)
  // Schemes other than http keep a backslash, which browsers read as a slash.
  return `/${pathname.replace(/^[/\\]+/, '')}${search}`
}
