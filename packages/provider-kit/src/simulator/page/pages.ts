import {
  MalformedFormError,
  formTokenOf,
  isCookieId,
  isFormToken,
  isFromOwnPage,
  languageOf,
  languageRoutes,
  limitForms,
  newCookieId,
  readCookie,
  readForm,
  securityHeaders,
  writeCookie,
} from '@cofre/pages'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { type PageView, type Reader, assets, problemPage } from './view.js'

export interface PageEnv {
  Variables: {
    cookieId: string
    fields: ReadonlyMap<string, string>
    /** The address that shows the outcome of an action, if not the first page. */
    address: string | undefined
  }
}

type Answer = Response | Promise<Response>
type ViewOf<View> = (c: Context<PageEnv>) => View

interface Pages<View extends PageView> {
  readonly cookie: string
  /** The page's address for browsers; known once its port is. */
  readonly url: () => string
  readonly viewFor: (reader: Reader) => View
  readonly addRoutes: (app: Hono<PageEnv>, view: ViewOf<View>) => void
  /** Answers errors of refused actions; undefined for an unknown error. */
  readonly refuse: (error: Error, c: Context<PageEnv>, view: ViewOf<View>) => Answer | undefined
}

/**
 * The pages on which a person simulates a provider. Loopback only, without a sign-in. Accepts only
 * forms of its own pages, from the browser that got them.
 */
export function createPages<View extends PageView>(pages: Pages<View>): Hono<PageEnv> {
  const { cookie, url, viewFor } = pages
  const site = () => ({ url: url(), name: cookie, sameSite: 'Strict' as const })
  const view: ViewOf<View> = (c) =>
    viewFor({
      language: languageOf(c, site()),
      csrfToken: formTokenOf(c.var.cookieId),
      here: c.req.method === 'GET' ? c.req.path : '/',
    })
  const app = new Hono<PageEnv>()
  app.use(securityHeaders({ url: 'http://127.0.0.1' }, { referrerPolicy: 'no-referrer' }))
  // Rejects other host names: a hostile name may resolve to this machine.
  app.use(async (c, next) => {
    if (c.req.header('Host') !== new URL(url()).host) return c.text('misdirected', 421)
    await next()
    return undefined
  })
  app.route('/', assets.routes)
  app.get('/language/*', (c) => languageRoutes(site()).fetch(c.req.raw))
  app.use(async (c, next) => {
    const known = readCookie(c, site(), cookie)
    const cookieId = known !== undefined && isCookieId(known) ? known : newCookieId()
    if (cookieId !== known) writeCookie(c, site(), { name: cookie, value: cookieId })
    c.set('cookieId', cookieId)
    await next()
  })
  app.use(limitForms((c: Context<PageEnv>) => problemPage(c, view(c), 'form')))
  app.post('*', async (c, next) => {
    const fields = await readForm(c)
    if (!isFromOwnPage(c.req.raw, site()) || !isFormToken(fields.get('csrf') ?? '', c.var.cookieId))
      return problemPage(c, view(c), 'form')
    c.set('fields', fields)
    await next()
    return undefined
  })
  pages.addRoutes(app, view)
  app.notFound((c) => problemPage(c, view(c), 'missing'))
  app.onError((error, c) => {
    const refused = pages.refuse(error, c, view)
    if (refused !== undefined) return refused
    if (!(error instanceof MalformedFormError || error instanceof z.ZodError)) throw error
    return problemPage(c, view(c), 'form')
  })
  return app
}
