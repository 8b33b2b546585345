import type { Environment } from '@cofre/contracts'
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
import {
  type Access,
  type Permission,
  SESSION_LIFETIME_MS,
  type StaffSession,
  type StoreSession,
  hashSessionId,
  may,
} from '@cofre/people'
import type { Context, MiddlewareHandler } from 'hono'
import { createContext, useContext } from 'hono/jsx'
import {
  type ConsoleGateway,
  type StorePath,
  addressIn,
  parseStorePath,
} from '../model/console-gateway.js'
import { findStoreSession } from '../session/store-secret.js'
import { FRAME_TEXTS, type Texts } from './texts.js'
import type { PanelParts } from './panel-parts.js'
import type { ShownPage } from './shown-page.js'

/** The signed-in reader: with a store's secret, or as a person of the staff. */
export type SignedIn =
  | { readonly kind: 'store-secret'; readonly session: StoreSession }
  | {
      readonly kind: 'person'
      readonly session: StaffSession
      /** Access to the store of the address; undefined outside the person's stores. */
      readonly access: Access | undefined
    }

/** A store that the reader may see, and in which role. */
export interface Entered extends StorePath {
  /** The store's name, for a person; with a store's secret, pages show its id. */
  readonly storeName?: string
  readonly access: Access
  readonly gateway: ConsoleGateway
}

/** A request of a reader who may see the store in this environment. */
export interface Visit extends Entered {
  readonly c: PanelContext
  readonly view: View
}

export type Form = ReadonlyMap<string, string>

export interface PanelEnv {
  Variables: {
    signedIn: SignedIn | undefined
    /** Always set on the pages of a store. */
    entered: Entered | undefined
    /** Unguessable id of this browser's cookie, with or without a sign-in. */
    visitId: string
    /** The session's id; without a session, the visit's. */
    cookieId: string
    language: Language
    pages: readonly ShownPage[]
    /** Upload paths within a store. */
    uploads: ReadonlySet<string>
  }
}

export type PanelContext = Context<PanelEnv>

/** Facts about the page and its reader, for every component. */
export interface View {
  readonly language: Language
  readonly texts: Texts
  /** The pages in the navigation. */
  readonly pages: readonly ShownPage[]
  readonly csrfToken: string
  /** Path and query of the page. */
  readonly here: string
  /** Undefined outside the stores. */
  readonly environment: Environment | undefined
  /** The address of a page of this store and environment: `at('/payments')`. */
  readonly at: (path: string) => string
  readonly may: (permission: Permission) => boolean
}

/**
 * Binds forms to a person's session with this browser. They outlive a proof in another tab, which
 * gives the session another id. Without a person, forms are bound to the cookie.
 */
export function formSecretOf({ var: { cookieId, signedIn, visitId } }: PanelContext): string {
  return signedIn?.kind === 'person' ? `${visitId} ${signedIn.session.firstIdHash}` : cookieId
}

export function viewOf(c: PanelContext): View {
  const { pathname, search } = new URL(c.req.url)
  const { language, entered, pages } = c.var
  return {
    language,
    texts: FRAME_TEXTS[language],
    pages,
    csrfToken: formTokenOf(formSecretOf(c)),
    here: `${pathname}${search}`,
    environment: entered?.environment,
    // Outside the stores, an old address redirects into the only one.
    at: (path) => (entered === undefined ? path : addressIn(entered, path)),
    may: (permission) =>
      entered !== undefined && may(entered.access, entered.environment, permission),
  }
}

export const ViewContext = createContext<View | undefined>(undefined)

export function useView(): View {
  const view = useContext(ViewContext)
  if (view === undefined) throw new Error('a component of the panel is on no page')
  return view
}

/** The texts of the reader's language. */
export function useTexts<Texts>(all: Readonly<Record<Language, Texts>>): Texts {
  return all[useView().language]
}

const SESSION_COOKIE = 'cofre_panel'
const PERSON_COOKIE = 'cofre_person'
const SESSION_COOKIES = [PERSON_COOKIE, SESSION_COOKIE]
const VISIT_COOKIE = 'cofre_panel_visit'
const VISIT_LIFETIME_S = 30 * 24 * 60 * 60

/** Reads the language and the browser's own id from their cookies. */
export function readVisit(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    c.set('language', languageOf(c, parts.site))
    c.set('pages', parts.pages)
    c.set('uploads', parts.uploads)
    const visitId = ensureVisitId(c, parts)
    c.set('visitId', visitId)
    c.set('cookieId', visitId)
    c.set('signedIn', undefined)
    c.set('entered', undefined)
    await next()
  }
}

/**
 * Reads the session from its cookie, once a form has arrived whole: a form may arrive slowly, and
 * its sender's permission then counts.
 */
export function readSession(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    if (c.req.method === 'POST' && !isUpload(c)) await c.req.arrayBuffer()
    const found = (await findPerson(c, parts)) ?? (await findDeveloper(c, parts))
    if (found !== undefined) {
      c.set('signedIn', found.signedIn)
      c.set('cookieId', found.id)
    }
    await next()
  }
}

interface Found {
  /** Id of the session, from its cookie. */
  readonly id: string
  readonly signedIn: SignedIn
}

async function findPerson(c: PanelContext, parts: PanelParts): Promise<Found | undefined> {
  const id = readCookie(c, parts.site, PERSON_COOKIE)
  if (id === undefined) return undefined
  const place = parseStorePath(new URL(c.req.url).pathname)
  const found = await parts.people?.find(hashSessionId(id), place?.storeId)
  return found && { id, signedIn: { kind: 'person', ...found } }
}

async function findDeveloper(c: PanelContext, parts: PanelParts): Promise<Found | undefined> {
  const { sandbox } = parts.environments
  const id = readCookie(c, parts.site, SESSION_COOKIE)
  if (id === undefined || sandbox === undefined) return undefined
  const deps = { ...sandbox, clock: parts.clock }
  const session = await findStoreSession(deps, hashSessionId(id))
  return session && { id, signedIn: { kind: 'store-secret', session } }
}

/**
 * Checked again during a long transfer. It stops if the reader is signed out, removed or gets
 * another role.
 */
export async function isStillSignedIn(
  parts: PanelParts,
  { access, c, storeId }: Visit,
): Promise<boolean> {
  const { signedIn } = c.var
  if (signedIn?.kind === 'person') {
    const now = await parts.people?.accessOf(signedIn.session, storeId)
    if (now?.kind !== 'person' || access.kind !== 'person') return false
    return now.role === access.role && now.scope === access.scope
  }
  const { sandbox } = parts.environments
  if (signedIn === undefined || sandbox === undefined) return false
  const deps = { ...sandbox, clock: parts.clock }
  return (await findStoreSession(deps, signedIn.session.idHash)) !== undefined
}

/** The sender was signed out, removed or given another role during the transfer. */
export class NotAllowedError extends Error {
  constructor() {
    super('what was being sent is not allowed any more')
    this.name = 'NotAllowedError'
  }
}

/** @throws NotAllowedError */
export async function requireStillSignedIn(parts: PanelParts, visit: Visit): Promise<void> {
  if (!(await isStillSignedIn(parts, visit))) throw new NotAllowedError()
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

export function rememberPerson(c: PanelContext, { site }: PanelParts, id: string): void {
  const lifetimeS = SESSION_LIFETIME_MS / 1000
  writeCookie(c, site, { name: PERSON_COOKIE, value: id, lifetimeS })
  // Each visit renews the cookie, so that the browser stays known.
  const value = c.var.visitId
  writeCookie(c, site, { name: VISIT_COOKIE, value, lifetimeS: VISIT_LIFETIME_S })
}

/** True if the browser has signed in before; without a session, that session has ended. */
export function hasSessionCookie(c: PanelContext, { site }: PanelParts): boolean {
  return SESSION_COOKIES.some((name) => readCookie(c, site, name) !== undefined)
}

export function forgetSessions(c: PanelContext, { site }: PanelParts): void {
  for (const name of SESSION_COOKIES)
    if (readCookie(c, site, name) !== undefined) removeCookie(c, site, name)
}

/** True if an open page sent the request by itself (`panel.js`), not a person. */
export function isByScript({ req }: PanelContext): boolean {
  return req.path.endsWith('/changes') || req.header('X-Panel-Update') !== undefined
}

/** True if the form has a file, which is streamed. */
export function isUpload({ req, var: { uploads } }: PanelContext): boolean {
  const place = parseStorePath(req.path)
  return (
    req.method === 'POST' &&
    place !== undefined &&
    uploads.has(req.path.slice(addressIn(place, '').length))
  )
}
