import { isFormToken, isFromOwnPage, ownPath, readForm } from '@cofre/pages'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Child } from 'hono/jsx'
import { recordUse } from '../session/session-service.js'
import type { PageName } from '../text/texts.js'
import { type Flash, setFlash } from './flash.js'
import type { PanelParts } from './panel-parts.js'
import { renderNotice, renderPage } from './render-page.js'
import {
  type PanelContext,
  type PanelEnv,
  type View,
  hasSessionCookie,
  isByScript,
  viewOf,
} from './visit.js'

/** A request of somebody who has signed in. */
export interface Visit {
  readonly c: PanelContext
  readonly storeId: string
  readonly view: View
}

/** What a page shows under its title. */
export interface Shown {
  readonly body: Child
  /** Default: those of the navigation's page. */
  readonly title?: string
  readonly heading?: Child
  /** What it shows is gone once it changes, so it does not follow changes. */
  readonly still?: boolean
}

export type Form = ReadonlyMap<string, string>

/** The result of an action, on the page that had the form or on the page `to`. */
export type Outcome = Flash | { readonly flash: Flash; readonly to: string }

/** A response is the whole answer. */
type Show = (visit: Visit) => Shown | Response | undefined | Promise<Shown | Response | undefined>
type Act = (visit: Visit, form: Form) => Promise<Outcome>

/** Where pages are added. */
export type ConsolePages = ReturnType<typeof createConsolePages>

/** Everything that belongs to the store of a session; nobody reaches it without one. */
export function createConsolePages(parts: PanelParts) {
  const app = new Hono<PanelEnv>()
  app.use(requireSession(parts))
  app.use(checkForm(parts))
  return {
    app,

    /** @param show - Undefined: there is nothing at this address. */
    page: (path: string, name: PageName, show: Show) => {
      app.get(path, async (c) => {
        const visit = visitOf(c)
        const shown = await show(visit)
        if (shown === undefined) return renderNotice(c, parts, 'notFound')
        if (shown instanceof Response) return shown
        const { title, intro }: PageTexts = visit.view.texts[name]
        const body = (
          <>
            {shown.heading ?? <h1>{title}</h1>}
            {shown.heading === undefined && intro !== undefined && <p class="intro">{intro}</p>}
            {shown.body}
          </>
        )
        return renderPage(c, parts, { title, page: name, ...shown, body })
      })
    },

    /** A file to keep. */
    file: (path: string, answer: (visit: Visit) => Response | Promise<Response>) => {
      app.get(path, (c) => answer(visitOf(c)))
    },

    /** What a posted form does. */
    action: (path: string, act: Act) => {
      app.post(path, async (c) => {
        const form = await readForm(c)
        const outcome = await act(visitOf(c), form)
        const here = ownPath(form.get('here') ?? '/')
        const { flash, to } = typeof outcome === 'string' ? { flash: outcome, to: here } : outcome
        setFlash(c, parts, flash)
        return c.redirect(to, 303)
      })
    },
  }
}

function visitOf(c: PanelContext): Visit {
  return { c, storeId: c.var.signedIn.storeId, view: viewOf(c) }
}

interface PageTexts {
  readonly title: string
  readonly intro?: string
}

/** Changes nothing but by a form that this browser got from the panel. */
export function checkForm(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    if (c.req.method === 'POST') {
      const token = (await readForm(c)).get('csrf') ?? ''
      if (!isFromOwnPage(c.req.raw, parts.site) || !isFormToken(token, c.var.cookieId))
        return renderNotice(c, parts, 'formRefused')
    }
    await next()
    return undefined
  }
}

/** Sends whoever is not signed in to the sign-in, and from there back to the page. */
function requireSession(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const { session } = c.var
    if (session !== undefined) {
      c.set('signedIn', session)
      if (!isByScript(c)) recordUse(parts, session)
      await next()
      return undefined
    }
    const isPost = c.req.method === 'POST'
    const to = isPost ? ownPath((await readForm(c)).get('here') ?? '/') : viewOf(c).here
    const hadSession = hasSessionCookie(c, parts)
    const query = new URLSearchParams({ to, ...(hadSession && { expired: '1' }) })
    return c.redirect(`/sign-in?${query.toString()}`, 303)
  }
}
