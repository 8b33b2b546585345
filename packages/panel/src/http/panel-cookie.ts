import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import type { PanelDeps } from '../panel-deps.js'

type CookieDeps = Pick<PanelDeps, 'publicUrl'>

/** A cookie of the panel; without a lifetime, the browser forgets it when it is closed. */
export interface PanelCookie {
  readonly name: string
  readonly value: string
  readonly lifetimeS?: number
}

export function readCookie(c: Context, deps: CookieDeps, name: string): string | undefined {
  return getCookie(c, ownName(deps, name))
}

export function writeCookie(c: Context, deps: CookieDeps, cookie: PanelCookie): void {
  const { name, value, lifetimeS } = cookie
  const lifetime = lifetimeS !== undefined && { maxAge: lifetimeS }
  setCookie(c, ownName(deps, name), value, { ...attributesOf(deps), ...lifetime })
}

export function deleteOwnCookie(c: Context, deps: CookieDeps, name: string): void {
  deleteCookie(c, ownName(deps, name), attributesOf(deps))
}

/** With this prefix a browser takes the cookie from this very host over https alone, and from no other host of the domain. */
function ownName({ publicUrl }: CookieDeps, name: string): string {
  return isHttps(publicUrl) ? `__Host-${name}` : name
}

function attributesOf({ publicUrl }: CookieDeps): CookieOptions {
  return { httpOnly: true, sameSite: 'Strict', path: '/', secure: isHttps(publicUrl) }
}

function isHttps(url: string): boolean {
  return url.startsWith('https:')
}
