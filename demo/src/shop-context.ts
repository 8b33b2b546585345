import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { type Language, parseLanguage, preferredLanguage } from './language/language.js'
import type { Messages } from './language/messages.js'
import { messagesIn } from './language/translation.js'
import type { Order } from './order/order.js'
import type { Session } from './session/session.js'
import type { Shop } from './shop.js'

/** What every request carries. */
export interface ShopEnv {
  /** What Node's server hands on of the connection. */
  Bindings: { readonly incoming?: { readonly socket: { readonly remoteAddress?: string } } }
  Variables: {
    session: Session | undefined
    language: Language
    messages: Messages
  }
}

export type ShopContext = Context<ShopEnv>

const SESSION_COOKIE = 'serra_session'
const LANGUAGE_COOKIE = 'serra_language'
const SESSION_LIFETIME_S = 30 * 24 * 60 * 60
const LANGUAGE_LIFETIME_S = 365 * 24 * 60 * 60

/** Reads the session and the language from their cookies; without a cookie, the browser's language. */
export function readCookies(shop: Shop): MiddlewareHandler<ShopEnv> {
  return async (c, next) => {
    const language =
      parseLanguage(readCookie(c, shop, LANGUAGE_COOKIE)) ??
      preferredLanguage(c.req.header('Accept-Language') ?? '*')
    c.set('session', shop.sessions.find(readCookie(c, shop, SESSION_COOKIE) ?? ''))
    c.set('language', language)
    c.set('messages', messagesIn(language))
    await next()
  }
}

/** This browser's session; opened, with its cookie, when there is none. */
export function ensureSession(c: ShopContext, shop: Shop): Session {
  const known = c.var.session
  if (known !== undefined) return known
  const session = shop.sessions.open()
  writeCookie(c, shop, SESSION_COOKIE, session.id, SESSION_LIFETIME_S)
  return session
}

/** An order of this browser, by its code or reference; those of others are not found. */
export function findOwnOrder(c: ShopContext, { orders }: Shop, key: string): Order | undefined {
  return c.var.session === undefined ? undefined : orders.findOwn(c.var.session.id, key)
}

export function rememberLanguage(c: ShopContext, shop: Shop, language: Language): void {
  writeCookie(c, shop, LANGUAGE_COOKIE, language, LANGUAGE_LIFETIME_S)
}

function readCookie(c: ShopContext, shop: Shop, name: string): string | undefined {
  return getCookie(c, ownName(shop, name))
}

/** With this prefix a browser takes the cookie from this very host over https alone, and from no other host of the domain. */
function ownName({ origin }: Shop, name: string): string {
  return origin.startsWith('https:') ? `__Host-${name}` : name
}

function writeCookie(
  c: ShopContext,
  shop: Shop,
  ...[name, value, lifetimeS]: readonly [name: string, value: string, lifetimeS: number]
): void {
  setCookie(c, ownName(shop, name), value, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    maxAge: lifetimeS,
    secure: shop.origin.startsWith('https:'),
  })
}
