import {
  type Language,
  formTokenOf,
  isCookieId,
  languageOf,
  newCookieId,
  readCookie,
  removeCookie,
  writeCookie,
} from '@cofre/pages'
import type { Context, MiddlewareHandler } from 'hono'
import { createContext, useContext } from 'hono/jsx'
import { findSession } from '../session/session-service.js'
import { SESSION_LIFETIME_MS, type Session, hashSessionId } from '../session/session.js'
import { TEXTS, type Texts } from '../text/texts.js'
import type { PanelParts } from './panel-parts.js'

/** What every request carries. */
export interface PanelEnv {
  Variables: {
    session: Session | undefined
    /** The session again, on the pages of a store, which nobody sees without one. */
    signedIn: Session
    /** Unguessable id of a cookie that this browser alone has, signed in or not. */
    visitId: string
    /** The session's id, or the visit's without one: forms belong to it. */
    cookieId: string
    language: Language
  }
}

export type PanelContext = Context<PanelEnv>

/** What every component knows of the page that it is on, and of its reader. */
export interface View {
  readonly language: Language
  readonly texts: Texts
  readonly csrfToken: string
  /** Path and query of the page. */
  readonly here: string
}

export function viewOf(c: PanelContext): View {
  const { pathname, search } = new URL(c.req.url)
  const { language, cookieId } = c.var
  const csrfToken = formTokenOf(cookieId)
  return { language, texts: TEXTS[language], csrfToken, here: `${pathname}${search}` }
}

export const ViewContext = createContext<View>({
  language: 'pt-BR',
  texts: TEXTS['pt-BR'],
  csrfToken: '',
  here: '/',
})

export function useView(): View {
  return useContext(ViewContext)
}

const SESSION_COOKIE = 'cofre_panel'
const VISIT_COOKIE = 'cofre_panel_visit'
const VISIT_LIFETIME_S = 30 * 24 * 60 * 60

/** Reads the session and the language from their cookies. */
export function readCookies(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  const { site } = parts
  return async (c, next) => {
    c.set('language', languageOf(c, site))
    const visitId = ensureVisitId(c, parts)
    // Set first: finding a session may fail with the database, and that has a page, too.
    c.set('visitId', visitId)
    c.set('cookieId', visitId)
    c.set('session', undefined)
    const id = readCookie(c, site, SESSION_COOKIE)
    const session = id === undefined ? undefined : await findSession(parts, hashSessionId(id))
    if (id !== undefined && session !== undefined) {
      c.set('session', session)
      c.set('cookieId', id)
    }
    await next()
  }
}

function ensureVisitId(c: PanelContext, { site }: PanelParts): string {
  const known = readCookie(c, site, VISIT_COOKIE)
  if (known !== undefined && isCookieId(known)) return known
  const value = newCookieId()
  writeCookie(c, site, { name: VISIT_COOKIE, value, lifetimeS: VISIT_LIFETIME_S })
  return value
}

export function rememberSession(c: PanelContext, { site }: PanelParts, id: string): void {
  const lifetimeS = SESSION_LIFETIME_MS / 1000
  writeCookie(c, site, { name: SESSION_COOKIE, value: id, lifetimeS })
}

/** Whether the browser has signed in before: its session has ended then. */
export function hasSessionCookie(c: PanelContext, { site }: PanelParts): boolean {
  return readCookie(c, site, SESSION_COOKIE) !== undefined
}

export function forgetSession(c: PanelContext, { site }: PanelParts): void {
  removeCookie(c, site, SESSION_COOKIE)
}

/** Whether an open page asks by itself (`panel.js`), and nobody has done anything. */
export function isByScript({ req }: PanelContext): boolean {
  return req.path === '/events' || req.header('X-Panel-Update') !== undefined
}
