import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'

/** A site's settings for the shared parts. */
export interface Site {
  /** The site's origin for browsers: `https://shop.example`. */
  readonly url: string
  /** Prefix of the names of its cookies: `shop`. */
  readonly name: string
  /** `Lax` for a site that others link to, else `Strict`. */
  readonly sameSite: 'Lax' | 'Strict'
}

interface Cookie {
  readonly name: string
  readonly value: string
  /** If absent, the browser deletes the cookie when it is closed. */
  readonly lifetimeS?: number
}

export function readCookie(c: Context, site: Site, name: string): string | undefined {
  return getCookie(c, safeName(site, name))
}

export function writeCookie(c: Context, site: Site, { name, value, lifetimeS }: Cookie): void {
  const lifetime = lifetimeS !== undefined && { maxAge: lifetimeS }
  setCookie(c, safeName(site, name), value, { ...attributesOf(site), ...lifetime })
}

export function removeCookie(c: Context, site: Site, name: string): void {
  deleteCookie(c, safeName(site, name), attributesOf(site))
}

/**
 * Browsers accept a `__Host-` cookie only over https and from this very host, not from a sibling
 * host of the domain.
 */
function safeName(site: Site, name: string): string {
  return isHttps(site) ? `__Host-${name}` : name
}

function attributesOf(site: Site): CookieOptions {
  return { httpOnly: true, sameSite: site.sameSite, path: '/', secure: isHttps(site) }
}

export function isHttps({ url }: Pick<Site, 'url'>): boolean {
  return url.startsWith('https:')
}
