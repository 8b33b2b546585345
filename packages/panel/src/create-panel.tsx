import { UNAVAILABLE_RETRY_SECONDS } from '@cofre/contracts'
import { MalformedFormError, languageRoutes, limitForms, securityHeaders } from '@cofre/pages'
import { createLimited } from '@cofre/work'
import { Hono, type MiddlewareHandler } from 'hono'
import { homeRoutes } from './frame/home.js'
import { assets } from './frame/layout.js'
import type { ShownPage } from './visit/shown-page.js'
import type { ConsolePage, PagesBelow, RoomPages } from './frame/console-page.js'
import { type PanelDeps, type PanelParts, sandboxPartsOf } from './visit/panel-parts.js'
import { PEOPLE_PAGES, SANDBOX_PAGES } from './pages.js'
import { renderNotice } from './frame/render-page.js'
import { checkForm, createConsolePages, requireSession, signInPath } from './frame/console-pages.js'
import {
  type PanelContext,
  type PanelEnv,
  isUpload,
  readSession,
  readVisit,
} from './visit/visit.js'
import { simulatedParts } from './sandbox/simulated-parts.js'
import { liveRoutes } from './sandbox/live.js'
import { meRoutes } from './me/me-pages.js'
import { inboxRoutes } from './sandbox/receiver.js'
import { forgotRoutes } from './door/forgot.js'
import { linkRoutes } from './door/link.js'
import { signInRoutes, signOutRoutes } from './door/sign-in.js'
import { passkeyPartsOf } from './frame/passkeys.js'
import { stepUpRoutes } from './frame/step-up.js'
import { reloadWithCookies, requireOwnHost } from './frame/own-host.js'
import { sandboxSignInRoutes } from './sandbox-sign-in/sign-in.js'

/**
 * The console. Pass its `fetch` to a server that listens at `publicUrl`.
 * @param pagesOfRooms - Pages besides the console's own.
 */
export async function createPanel(
  deps: PanelDeps,
  pagesOfRooms: readonly RoomPages[] = [],
): Promise<Hono<PanelEnv>> {
  const parts = partsOf(deps, pagesOfRooms)
  const { site } = parts
  const sandboxParts = sandboxPartsOf(parts)
  const app = new Hono<PanelEnv>()
  // Pictures of PIX codes are data URLs.
  app.use(securityHeaders(site, { images: ['data:'], referrerPolicy: 'no-referrer' }))
  app.route('/', assets.routes)
  // Before the check of forms: notifications come from other origins.
  if (sandboxParts !== undefined) app.route('/inbox', inboxRoutes(sandboxParts))

  app.use(requireOwnHost(parts), reloadWithCookies())
  app.use(readVisit(parts))
  app.use(limitBodies(parts))
  app.use(readSession(parts))
  app.route('/', languageRoutes(site))
  for (const path of ['/sign-in/*', '/sign-out', '/link/*', '/forgot'])
    app.use(path, checkForm(parts))
  app.route('/', signOutRoutes(parts)).route('/', doorRoutes(parts))
  if (sandboxParts !== undefined) app.route('/', sandboxSignInRoutes(sandboxParts))

  app.use(requireSession(parts))
  app.use(checkForm(parts))
  const pages = createConsolePages(parts)
  await addTo(pages, pagesOfRooms, parts)
  const { people } = parts
  if (people !== undefined) {
    app.route('/', meRoutes(parts, people))
    const passkeys = passkeyPartsOf(parts)
    if (passkeys !== undefined) app.route('/', stepUpRoutes(passkeys))
    await addTo(pages, PEOPLE_PAGES, { ...parts, people })
  }
  if (sandboxParts !== undefined) {
    await addTo(pages, SANDBOX_PAGES, sandboxParts)
    liveRoutes(pages.app, sandboxParts)
  }
  app.route('/:environment{production|sandbox}/:store', pages.app)
  app.route('/', homeRoutes(parts))
  app.all('*', (c) => renderNotice(c, parts, 'notFound'))

  app.onError((error, c) => {
    if (error instanceof MalformedFormError) return renderNotice(c, parts, 'notAForm')
    // Logged without its path, which may be an inbox's address. The request has its own log line.
    parts.log.error({ error, method: c.req.method }, 'the panel failed to answer')
    if (!parts.isUnavailable(error)) return renderNotice(c, parts, 'failed')
    c.header('Retry-After', String(UNAVAILABLE_RETRY_SECONDS))
    return renderNotice(c, parts, 'unavailable')
  })
  return app
}

function partsOf(deps: PanelDeps, pagesOfRooms: readonly RoomPages[]): PanelParts {
  const site = { url: deps.publicUrl, name: 'cofre_panel', sameSite: 'Strict' } as const
  const pages = [
    ...pagesOfRooms,
    ...(deps.people === undefined ? [] : PEOPLE_PAGES),
    ...(deps.environments.sandbox === undefined ? [] : SANDBOX_PAGES),
  ].flatMap((page): readonly ShownPage[] => ('below' in page ? [] : [page]))
  pages.sort((one, other) => one.rank - other.rank)
  const parts = { ...deps, site, pages, uploads: new Set<string>(), limited: createLimited() }
  const sandboxParts = sandboxPartsOf(parts)
  return sandboxParts === undefined ? parts : { ...parts, simulated: simulatedParts(sandboxParts) }
}

async function addTo<Parts>(
  pages: ReturnType<typeof createConsolePages>,
  added: readonly (ConsolePage<Parts> | PagesBelow<Parts>)[],
  parts: Parts,
): Promise<void> {
  const loaded = await Promise.all(added.map(async (page) => ({ page, add: await page.load() })))
  for (const { page, add } of loaded)
    add(pages.of('below' in page ? { ...page, path: page.below } : page), parts)
}

/** Limits all bodies except uploads, which are streamed. */
function limitBodies(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  const limited = limitForms((c: PanelContext) => renderNotice(c, parts, 'tooLarge'))
  return async (c, next) => {
    if (!isUpload(c)) return await limited(c, next)
    await next()
    // The rest of a refused body must not be parsed as the next request.
    c.header('Connection', 'close')
    return undefined
  }
}

function doorRoutes(parts: PanelParts): Hono<PanelEnv> {
  const { people } = parts
  const app = new Hono<PanelEnv>()
  if (people !== undefined)
    app
      .route('/', signInRoutes(parts, people))
      .route('/', forgotRoutes(parts, people))
      .route('/', linkRoutes(parts, people))
  else app.get('/sign-in', (c) => c.redirect(signInPath(parts), 303))
  return app
}
