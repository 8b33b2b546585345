import type { Context, MiddlewareHandler } from 'hono'
import { deleteOwnCookie, readCookie, writeCookie } from './http/panel-cookie.js'
import { type Language, parseLanguage, preferredLanguage } from './language/language.js'
import type { PanelDeps } from './panel-deps.js'
import {
  SESSION_LIFETIME_MS,
  type Session,
  csrfTokenOf,
  drawId,
  hashSessionId,
  isDrawnId,
} from './session/session.js'
import { findSession } from './session/session-service.js'

/** What every request carries. */
export interface PanelEnv {
  Variables: {
    session: Session | undefined
    /** The session again, on the pages of a store, which nobody sees without one. */
    signedIn: Session
    /** Unguessable id of a cookie that this browser alone has, signed in or not. */
    visitId: string
    /** That of the session, or of the visit without one: what forms are tied to. */
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
const VISIT_LIFETIME_S = 30 * 24 * 60 * 60
const LANGUAGE_COOKIE = 'cofre_panel_language'
const LANGUAGE_LIFETIME_S = 365 * 24 * 60 * 60

/** Reads the session and the language from their cookies; without a cookie, the browser's language. */
export function readCookies(deps: PanelDeps): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const language = parseLanguage(readCookie(c, deps, LANGUAGE_COOKIE))
    c.set('language', language ?? preferredLanguage(c.req.header('Accept-Language') ?? '*'))
    const visitId = ensureVisitId(c, deps)
    // First, because whether a session lives may need a database that is away, and then there is a page, too.
    c.set('visitId', visitId)
    c.set('cookieId', visitId)
    c.set('session', undefined)
    const id = readCookie(c, deps, SESSION_COOKIE)
    const session = id === undefined ? undefined : await findSession(deps, hashSessionId(id))
    if (id !== undefined && session !== undefined) {
      c.set('session', session)
      c.set('cookieId', id)
    }
    await next()
  }
}

function ensureVisitId(c: PanelContext, deps: PanelDeps): string {
  const known = readCookie(c, deps, VISIT_COOKIE)
  if (known !== undefined && isDrawnId(known)) return known
  const value = drawId()
  writeCookie(c, deps, { name: VISIT_COOKIE, value, lifetimeS: VISIT_LIFETIME_S })
  return value
}

export function rememberSession(c: PanelContext, deps: PanelDeps, id: string): void {
  const lifetimeS = SESSION_LIFETIME_MS / 1000
  writeCookie(c, deps, { name: SESSION_COOKIE, value: id, lifetimeS })
}

/** Whether the browser has signed in before: its session has ended then. */
export function hasSessionCookie(c: PanelContext, deps: PanelDeps): boolean {
  return readCookie(c, deps, SESSION_COOKIE) !== undefined
}

export function forgetSession(c: PanelContext, deps: PanelDeps): void {
  deleteOwnCookie(c, deps, SESSION_COOKIE)
}

export function rememberLanguage(c: PanelContext, deps: PanelDeps, language: Language): void {
  writeCookie(c, deps, {
    name: LANGUAGE_COOKIE,
    value: language,
    lifetimeS: LANGUAGE_LIFETIME_S,
  })
}
