import type { StoreSessions } from '@cofre/people'
import type { Hono } from 'hono'
import { createPanel } from '../create-panel.js'
import type { PanelDeps } from '../visit/panel-parts.js'
import type { SandboxGateway } from '../model/console-gateway.js'
import type { PanelEnv } from '../visit/visit.js'
import { type StoredSessions, memoryStoreSessions } from './store-sessions.js'
import { type FakeSandbox, NOW_MS, SECRET, STORE_ID, createFakeSandbox } from './sandbox.js'
import type { RoomPages } from '../frame/console-page.js'

export const PANEL_URL = 'https://panel.example'
/** Paths of a store's forms, within the store. */
export const ACTIONS = [
  '/payments/1001/status',
  '/refunds/501',
  '/receiver/answer',
  '/receiver/empty',
  '/clock',
  '/settlement',
  '/credentials/secret',
  '/reset',
]

export const SANDBOX_URL = 'https://sandbox.example'

/** Thrown by the back office when its database is unavailable. */
export class DatabaseGoneError extends Error {}

/** A page, as a browser sees it. */
export interface SeenPage {
  readonly status: number
  readonly location: string | null
  readonly headers: Headers
  readonly html: string
}

/** A browser with its cookies. Paths are within the store, except those of the frame. */
export interface Developer {
  readonly cookies: Map<string, string>
  get(path: string): Promise<SeenPage>
  /** Posts a form of the page as a browser does: with its token and the page's address. */
  submit(on: string, action: string, fields?: Record<string, string>): Promise<SeenPage>
  post(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<SeenPage>
  signIn(): Promise<SeenPage>
}

/** A panel over a sandbox in memory, with a stopped clock. */
export interface OpenPanel extends FakeSandbox {
  readonly deps: PanelDeps
  readonly app: AppUnderTest
  /** Sessions opened with a store's secret. */
  readonly sessions: StoredSessions
  readonly clock: { nowMs: number }
  readonly logged: string[]
  readonly stopping: AbortController
  newDeveloper(headers?: Record<string, string>): Developer
}

/** A console that may not have loaded its pages yet. */
interface AppUnderTest {
  request(url: string, init?: RequestInit): Promise<Response>
  routes(): Promise<Hono<PanelEnv>['routes']>
}

export function appOf(created: Promise<Hono<PanelEnv>>): AppUnderTest {
  return {
    request: async (url, init) => await (await created).request(url, init),
    routes: async () => (await created).routes,
  }
}

export function openPanelForTest(
  extra: Partial<PanelDeps> = {},
  pagesOfRooms: readonly RoomPages[] = [],
): OpenPanel {
  return openPanelOver(createFakeSandbox(), extra, pagesOfRooms)
}

/** A panel over a sandbox with more content. */
export function openPanelOver<Fake extends FakeSandbox>(
  fake: Fake,
  extra: Partial<PanelDeps>,
  pagesOfRooms: readonly RoomPages[],
): OpenPanel & Fake {
  const sessions: StoredSessions = new Map()
  const clock = { nowMs: NOW_MS }
  const logged: string[] = []
  const write = (fields: Record<string, unknown>, message: string): void => {
    logged.push(`${message} ${JSON.stringify(fields)}`)
  }
  const stopping = new AbortController()
  const deps: PanelDeps = {
    environments: { sandbox: sandboxGateway(fake, memoryStoreSessions(sessions, clock)) },
    clock: { now: () => clock.nowMs },
    log: { info: write, warn: write, error: write },
    isUnavailable: (error) => error instanceof DatabaseGoneError,
    publicUrl: PANEL_URL,
    inboxOrigin: PANEL_URL,
    mediaVendor: 'cofre',
    addressOf: (request) => request.headers.get('X-Test-Address') ?? '192.0.2.1',
    stopping: stopping.signal,
    ...extra,
  }
  const app = appOf(createPanel(deps, pagesOfRooms))
  return {
    ...fake,
    app,
    deps,
    sessions,
    clock,
    logged,
    stopping,
    newDeveloper: (headers) => newDeveloper(app, headers),
  }
}

/** A panel, and a signed-in developer who reads English. */
export async function signedIn(
  extra: Partial<PanelDeps> = {},
): Promise<OpenPanel & { readonly developer: Developer }> {
  return await withDeveloper(openPanelForTest(extra))
}

export async function withDeveloper<Panel extends OpenPanel>(
  panel: Panel,
): Promise<Panel & { readonly developer: Developer }> {
  const developer = panel.newDeveloper({ 'Accept-Language': 'en' })
  await developer.signIn()
  return { ...panel, developer }
}

export function sandboxGateway(
  { sandbox, ...fake }: FakeSandbox,
  storeSessions: StoreSessions,
): SandboxGateway {
  return { ...fake, clock: sandbox.clock, tools: sandbox, storeSessions, apiUrl: SANDBOX_URL }
}

export function newDeveloper(
  app: Pick<AppUnderTest, 'request'>,
  sent: Record<string, string> = {},
): Developer {
  const cookies = new Map<string, string>()
  async function visit(path: string, init: RequestInit): Promise<SeenPage> {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(sent)) headers.set(name, value)
    headers.set('Cookie', cookieHeader({ cookies }))
    if (!headers.has('Host')) headers.set('Host', new URL(PANEL_URL).host)
    const response = await app.request(`${PANEL_URL}${addressOf(path)}`, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return {
      status: response.status,
      location: response.headers.get('Location'),
      headers: response.headers,
      html: await response.text(),
    }
  }
  const developer: Developer = {
    cookies,
    get: (path) => visit(path, {}),
    post: (path, fields, headers = { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }) =>
      visit(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
    async submit(on, action, fields = {}) {
      const { html } = await developer.get(on)
      if (!html.includes(`action="${addressOf(action)}"`))
        throw new Error(`${on} has no form ${action}`)
      const hidden = { csrf: hiddenValue(html, 'csrf'), here: addressOf(on) }
      const answer = await developer.post(action, { ...hidden, ...fields })
      return answer.location === null ? answer : developer.get(answer.location)
    },
    signIn: () =>
      developer.submit('/sign-in/sandbox', '/sign-in/sandbox', {
        'store-id': STORE_ID,
        secret: SECRET,
        to: '/',
      }),
  }
  return developer
}

const OUTSIDE_STORES =
  /^\/($|\?|sign-|step-up\/|me$|me\/|forgot|link\/|language\/|inbox\/|production\/|sandbox\/|transactions)/

/** @param path - Within the store, or of the frame. */
export function addressOf(path: string): string {
  return OUTSIDE_STORES.test(path) ? path : `/sandbox/${STORE_ID}${path}`
}

/** The cookies of a browser, as it sends them. */
export function cookieHeader({ cookies }: Pick<Developer, 'cookies'>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

export function hiddenValue(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
}

/** The text of a page without its markup. */
export function visibleText(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
