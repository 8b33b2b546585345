import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { randomBytes } from 'node:crypto'
import { type Language, parseLanguage, preferredLanguage } from './language/language.js'
import type { PanelDeps } from './panel-deps.js'
import {
  SESSION_ID_BYTES,
  SESSION_LIFETIME_MS,
  type Session,
  csrfTokenOf,
} from './session/session.js'
import { findSession } from './session/session-service.js'

/** What every request carries. */
export interface PanelEnv {
  Variables: {
    session: Session | undefined
    /** The session again, on the pages of a store, which nobody sees without one. */
    signedIn: Session
    /** Unguessable id of a cookie that this browser alone has: the session's, or that of a visit without one. */
    cookieId: string
    language: Language
  }
}

export type PanelContext = Context<PanelEnv>

/** What every part of a page needs to know of its reader. */
export interface View {
  readonly language: Language
  readonly csrfToken: string
  /** Path and query of the page. */
  readonly here: string
}

export function viewOf(c: PanelContext): View {
  const { pathname, search } = new URL(c.req.url)
  return {
    language: c.var.language,
    csrfToken: csrfTokenOf(c.var.cookieId),
    here: `${pathname}${search}`,
  }
}

const SESSION_COOKIE = 'cofre_panel'
const VISIT_COOKIE = 'cofre_panel_visit'
const LANGUAGE_COOKIE = 'cofre_panel_language'
const LANGUAGE_LIFETIME_S = 365 * 24 * 60 * 60

/** Reads the session and the language from their cookies; without a cookie, the browser's language. */
export function readCookies(deps: PanelDeps): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const id = getCookie(c, SESSION_COOKIE)
    const session = id === undefined ? undefined : findSession(deps, id)
    c.set('session', session)
    c.set('cookieId', session === undefined || id === undefined ? visitId(c, deps) : id)
    c.set(
      'language',
      parseLanguage(getCookie(c, LANGUAGE_COOKIE)) ??
        preferredLanguage(c.req.header('Accept-Language') ?? '*'),
    )
    await next()
  }
}

function visitId(c: PanelContext, deps: PanelDeps): string {
  const known = getCookie(c, VISIT_COOKIE)
  if (known !== undefined) return known
  const id = randomBytes(SESSION_ID_BYTES).toString('base64url')
  writeCookie(c, deps, { name: VISIT_COOKIE, value: id })
  return id
}

export function rememberSession(c: PanelContext, deps: PanelDeps, id: string): void {
  const lifetimeS = SESSION_LIFETIME_MS / 1000
  writeCookie(c, deps, { name: SESSION_COOKIE, value: id, lifetimeS })
}

/** Whether the browser has signed in before: its session has ended then. */
export function hasSessionCookie(c: PanelContext): boolean {
  return getCookie(c, SESSION_COOKIE) !== undefined
}

export function forgetSession(c: PanelContext): void {
  deleteCookie(c, SESSION_COOKIE, { path: '/' })
}

export function rememberLanguage(c: PanelContext, deps: PanelDeps, language: Language): void {
  writeCookie(c, deps, {
    name: LANGUAGE_COOKIE,
    value: language,
    lifetimeS: LANGUAGE_LIFETIME_S,
  })
}

/** A cookie of the panel; without a lifetime, the browser forgets it when it is closed. */
export interface PanelCookie {
  readonly name: string
  readonly value: string
  readonly lifetimeS?: number
}

export function writeCookie(
  c: PanelContext,
  { publicUrl }: PanelDeps,
  { name, value, lifetimeS }: PanelCookie,
): void {
  setCookie(c, name, value, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    secure: publicUrl.startsWith('https:'),
    ...(lifetimeS !== undefined && { maxAge: lifetimeS }),
  })
}
