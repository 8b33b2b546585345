import { type Language, type Site, languageOf, readCookie, writeCookie } from '@cofre/pages'
import type { Context, MiddlewareHandler } from 'hono'
import { type CartLine, cartLines } from '../model/cart.js'
import type { Order } from '../model/order.js'
import type { ShopSession } from '../model/session.js'
import { type Shop, findOrder, openSession, useSession } from '../payment/shop.js'
import { TEXTS, type Texts } from '../texts/texts.js'

/** Context of every request. */
export interface ShopEnv {
  /** The connection, as Node's server passes it. */
  Bindings: { readonly incoming?: { readonly socket: { readonly remoteAddress?: string } } }
  Variables: { shop: Shop; session: ShopSession | undefined; language: Language; texts: Texts }
}

export type ShopContext = Context<ShopEnv>

const SESSION_LIFETIME_S = 30 * 24 * 60 * 60
const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i

/** Finds the visitor's session and language. */
export function readVisitor(shop: Shop): MiddlewareHandler<ShopEnv> {
  const { site } = shop
  return async (c, next) => {
    const language = languageOf(c, site)
    c.set('shop', shop)
    c.set('session', useSession(shop, readCookie(c, site, sessionCookie(site))))
    c.set('language', language)
    c.set('texts', TEXTS[language])
    await next()
  }
}

function sessionCookie({ name }: Site): string {
  return `${name}_session`
}

/** This browser's session; creates one, with its cookie, if there is none. */
export function ensureSession(c: ShopContext): ShopSession {
  const { shop } = c.var
  if (c.var.session !== undefined) return c.var.session
  const session = openSession(shop)
  const { site } = shop
  const cookie = { name: sessionCookie(site), value: session.id, lifetimeS: SESSION_LIFETIME_S }
  writeCookie(c, site, cookie)
  return session
}

/** The lines of this browser's cart. */
export function linesOf({ var: { session } }: ShopContext): readonly CartLine[] {
  return session === undefined ? [] : cartLines(session.cart)
}

/** An order placed by this browser, by its code or reference. */
export function findOwnOrder(c: ShopContext, key: string): Order | undefined {
  const { shop, session } = c.var
  return session === undefined ? undefined : findOrder(shop, key, session)
}

/** IP address of the payer's browser, IPv4 or IPv6; undefined if the server does not report it. */
export function payerIp(c: ShopContext): string | undefined {
  return c.env.incoming?.socket.remoteAddress?.replace(MAPPED_IPV4, '')
}
