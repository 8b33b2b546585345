import type { Environment } from '@cofre/contracts'
import { isFormToken, isFromOwnPage, ownPath, readForm } from '@cofre/pages'
import {
  type ActDetail,
  type ActName,
  type Permission,
  type StoreSession,
  isIn,
  may,
} from '@cofre/people'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Child } from 'hono/jsx'
import { parseStorePath } from '../model/console-gateway.js'
import { type Flash, setFlash } from './flash.js'
import type { PageFrame } from '../visit/shown-page.js'
import { type ActEnd, type EndAct, actOf, logRefused } from './page-act.js'
import type { PanelParts } from '../visit/panel-parts.js'
import { renderNotice, renderPage } from './render-page.js'
import { stepUp } from './step-up.js'
import { type UploadForm, type UploadedContent, readUpload } from './upload.js'
import {
  type Entered,
  type Form,
  NotAllowedError,
  type PanelContext,
  type PanelEnv,
  type Visit,
  formSecretOf,
  hasSessionCookie,
  isByScript,
  isUpload,
  requireStillSignedIn,
  viewOf,
} from '../visit/visit.js'

/** A page's content under its title. */
export interface Shown {
  readonly body: Child
  /** Default: the title of the navigation's page. */
  readonly title?: string
  readonly heading?: Child
  /** Set if the content is lost on a change, so the page must not follow changes. */
  readonly still?: boolean
}

/**
 * The result of an action, on the page that had the form or on the page `to`. `once`: content that
 * no other page may show, as the response itself. `again`: the form, with the typed values and the
 * errors.
 */
export type ActionResult = Flashed | Once | FormAgain

interface FormAgain {
  readonly again: ShownOnce
  /** Detail for the log: why the action was refused. */
  readonly detail?: ActDetail
}

interface Once {
  readonly once: ShownOnce
  /** Detail for the log, besides the form's. */
  readonly detail?: ActDetail
}

interface Flashed {
  /** For the log of acts: several outcomes may share a text. */
  readonly end: ActEnd
  readonly flash: Flash
  /** Default: the page of the form. */
  readonly to?: string
  /** Detail for the log, besides the form's. */
  readonly detail?: ActDetail
}

type FlashOptions = Pick<Flashed, 'to' | 'detail'>

export function done(flash: Flash, beside?: FlashOptions): Flashed {
  return { end: 'done', flash, ...beside }
}

/** A refusal, or a result that is not known to be done. */
export function refused(flash: Flash, beside?: FlashOptions): Flashed {
  return { end: 'refused', flash, ...beside }
}

interface ShownOnce extends Shown {
  readonly title: string
}

/** The permission to post a form, and the form's name in the log of acts. */
export interface ActionRule {
  readonly needs: Permission
  readonly act: ActName
  /** Requires that the person confirmed their identity in the last five minutes. */
  readonly stepUp?: true
  /** Detail of the form for the log, before the action. */
  readonly detail?: (form: Form) => ActDetail
}

/** For every tool that simulates the bank or the shop. */
export const SANDBOX_TOOL = {
  needs: 'sandbox:tools',
  act: 'sandbox:tools',
} as const satisfies ActionRule

/** A response replaces the page. */
type Show = (visit: Visit) => Shown | Response | undefined | Promise<Shown | Response | undefined>
type Act = (visit: Visit, form: Form) => Promise<ActionResult>
type HandleUpload = (visit: Visit, upload: UploadForm) => Promise<ActionResult>

/** A page's own permission, instead of the navigation page's. */
interface Wanted {
  readonly needs: Permission
}

/** Adds addresses to a page of the navigation. */
export interface ConsolePages {
  /**
   * Adds a page. A reader needs the navigation page's permission, or the one that this page
   * requires instead.
   * @param rest - `show` returns undefined if there is nothing at this address.
   */
  readonly page: (
    path: string,
    ...rest: readonly [show: Show] | readonly [wants: Wanted, show: Show]
  ) => void
  /** Adds a list to download, for readers who may see its page and export it. */
  readonly file: (path: string, answer: (visit: Visit) => Response | Promise<Response>) => void
  /** Adds the action of a posted form. A person's act is logged before and after. */
  readonly action: (path: string, rule: ActionRule, act: Act) => void
  /** Adds an action whose form has a file; the file is streamed. */
  readonly upload: (path: string, rule: ActionRule, take: HandleUpload) => void
}

/** Everything under `/:environment/:store`, for readers who may see that store. */
export function createConsolePages(parts: PanelParts): {
  readonly app: Hono<PanelEnv>
  of(page: PageFrame): ConsolePages
} {
  const app = new Hono<PanelEnv>()
  app.use(enterStore(parts))
  return { app, of: (page) => pagesOf(app, parts, page) }
}

function pagesOf(app: Hono<PanelEnv>, parts: PanelParts, page: PageFrame): ConsolePages {
  return {
    page(path, ...rest) {
      const [{ needs }, show] = rest.length === 1 ? [{ needs: page.permission }, rest[0]] : rest
      app.get(path, requirePermission(parts, needs), async (c) => {
        const visit = visitOf(c)
        const shown = await show(visit)
        if (shown === undefined) return renderNotice(c, parts, 'notFound')
        if (shown instanceof Response) return shown
        const { title = '', intro } = page.texts?.[visit.view.language] ?? {}
        const body = (
          <>
            {shown.heading ?? <h1>{title}</h1>}
            {shown.heading === undefined && intro !== undefined && <p class="intro">{intro}</p>}
            {shown.body}
          </>
        )
        return renderPage(c, parts, { title, page, ...shown, body })
      })
    },

    file(path, answer) {
      const mayRead = requirePermission(parts, page.permission)
      app.get(path, mayRead, requirePermission(parts, 'export'), (c) => answer(visitOf(c)))
    },

    action(path, rule, act) {
      app.post(path, logRefusal(parts, rule), requirePermission(parts, rule.needs), (c) =>
        answerForm(c, parts, { page, rule, act }),
      )
    },

    upload(path, rule, take) {
      parts.uploads.add(path)
      app.post(path, logRefusal(parts, rule), requirePermission(parts, rule.needs), (c) =>
        answerUpload(c, parts, { page, rule, take }),
      )
    },
  }
}

/** Logs an act without permission: the reader's pages have no such form. */
function logRefusal(parts: PanelParts, { act, needs }: ActionRule): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const visit = visitOf(c)
    const { access, environment } = visit
    if (!isSandboxOnly(environment, needs) && !may(access, environment, needs))
      await logRefused(parts, visit, { action: act })
    await next()
  }
}

interface Of {
  readonly page: PageFrame
  readonly rule: ActionRule
}

async function answerForm(
  c: PanelContext,
  parts: PanelParts,
  { page, rule, act }: Of & { readonly act: Act },
): Promise<Response> {
  const visit = visitOf(c)
  const form = await readForm(c)
  const unproved = rule.stepUp && (await stepUp(parts, c, form))
  if (unproved) return unproved
  const detail = rule.detail?.(form)
  const end = await actOf(parts, visit, { action: rule.act, ...(detail && { detail }) })
  const outcome = await act(visit, form)
  return await answerOutcome(c, parts, { page, outcome, end, form })
}

/** The form's token comes before its file; without it, the file is not read. */
async function answerUpload(
  c: PanelContext,
  parts: PanelParts,
  { page, rule, take }: Of & { readonly take: HandleUpload },
): Promise<Response> {
  const visit = visitOf(c)
  const upload = await readUpload(c)
  const { form } = upload
  if (!isOwnForm(c, parts, form)) return renderNotice(c, parts, 'formRefused')
  const detail = rule.detail?.(form)
  const end = await actOf(parts, visit, { action: rule.act, ...(detail && { detail }) })
  const file = upload.file && { ...upload.file, content: whileAllowed(parts, visit, upload.file) }
  const outcome = await take(visit, { form, file }).catch((error: unknown): ActionResult => {
    if (error instanceof NotAllowedError) return refused('not-allowed')
    throw error
  })
  return await answerOutcome(c, parts, { page, outcome, end, form })
}

/** A file, checked again at its end: the sender may lose the permission during a long upload. */
async function* whileAllowed(parts: PanelParts, visit: Visit, { content }: UploadedContent) {
  yield* content
  await requireStillSignedIn(parts, visit)
}

interface Ended {
  readonly page: PageFrame
  readonly outcome: ActionResult
  readonly end: EndAct
  readonly form: Form
}

async function answerOutcome(
  c: PanelContext,
  parts: PanelParts,
  { page, outcome, end, form }: Ended,
): Promise<Response> {
  if ('once' in outcome) {
    await end('done', outcome.detail)
    return renderOnce(c, parts, { page, shown: outcome.once })
  }
  if ('again' in outcome) {
    await end('refused', outcome.detail)
    return renderOnce(c, parts, { page, shown: outcome.again, status: 422 })
  }
  const why = REFUSAL_REASONS[outcome.flash]
  await end(outcome.end, why === undefined ? outcome.detail : { ...outcome.detail, why })
  setFlash(c, parts, outcome.flash)
  return c.redirect(outcome.to ?? ownPath(form.get('here') ?? '/'), 303)
}

/** Reasons for the log; for the others, the logged request is enough. */
const REFUSAL_REASONS: Readonly<Partial<Record<Flash, string>>> = {
  'not-allowed': 'role',
  'store-changed-meanwhile': 'meanwhile',
}

interface AnsweredOnce {
  readonly page: PageFrame
  readonly shown: ShownOnce
  readonly status?: 422
}

function renderOnce(c: PanelContext, parts: PanelParts, { shown, ...answer }: AnsweredOnce) {
  const { heading, title, body } = shown
  const headed = (
    <>
      {heading ?? <h1>{title}</h1>}
      {body}
    </>
  )
  return renderPage(c, parts, { ...answer, title, body: headed, still: true })
}

function visitOf(c: PanelContext): Visit {
  const { entered } = c.var
  if (entered === undefined) throw new Error('a page of a store has no store')
  return { c, ...entered, view: viewOf(c) }
}

/** Rejects a form that this browser did not get from the panel. */
export function checkForm(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    if (c.req.method === 'POST' && !isUpload(c)) {
      const form = await readForm(c)
      if (!isOwnForm(c, parts, form)) return renderNotice(c, parts, 'formRefused')
    }
    await next()
    return undefined
  }
}

function isOwnForm(c: PanelContext, parts: PanelParts, form: Form): boolean {
  // An ended session still has an open page: signing out is all that it may do.
  const isLeaving = c.req.path === '/sign-out' && c.var.signedIn === undefined
  const isOwn = isLeaving || isFormToken(form.get('csrf') ?? '', formSecretOf(c))
  return isOwn && isFromOwnPage(c.req.raw, parts.site)
}

/** Redirects to the sign-in if there is no session, and from there back to the page. */
export function requireSession(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const { signedIn } = c.var
    if (signedIn !== undefined) {
      if (signedIn.kind === 'store-secret') await enterOwnStore(c, parts, signedIn.session)
      await next()
      return undefined
    }
    const isPost = c.req.method === 'POST' && !isUpload(c)
    const to = isPost ? ownPath((await readForm(c)).get('here') ?? '/') : viewOf(c).here
    const hadSession = hasSessionCookie(c, parts)
    const query = new URLSearchParams({ to, ...(hadSession && { expired: '1' }) })
    return c.redirect(`${signInPath(parts)}?${query.toString()}`, 303)
  }
}

/** Without people, only a store's secret opens the console. */
export function signInPath({ people }: PanelParts): string {
  return people === undefined ? '/sign-in/sandbox' : '/sign-in'
}

/** A session opened with a store's secret is always in that store. */
async function enterOwnStore(
  c: PanelContext,
  { environments: { sandbox } }: PanelParts,
  session: StoreSession,
): Promise<void> {
  if (sandbox === undefined) return
  if (!isByScript(c)) await sandbox.storeSessions.recordUse(session)
  const place = { environment: 'sandbox', storeId: session.storeId } as const
  c.set('entered', { ...place, gateway: sandbox, access: { kind: 'store-secret' } })
}

/** A store that the reader may not see is not found, like one that does not exist. */
function enterStore(parts: PanelParts): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const entered = await findEntered(c, parts)
    if (entered === undefined) return renderNotice(c, parts, 'notFound')
    c.set('entered', entered)
    await next()
    return undefined
  }
}

async function findEntered(c: PanelContext, parts: PanelParts): Promise<Entered | undefined> {
  const { entered, signedIn } = c.var
  const place = parseStorePath(c.req.path)
  if (place === undefined || signedIn === undefined) return undefined
  if (signedIn.kind === 'store-secret') {
    const isOwn = place.environment === 'sandbox' && place.storeId === entered?.storeId
    return isOwn ? entered : undefined
  }
  const { access } = signedIn
  const gateway = parts.environments[place.environment]
  if (gateway === undefined || access?.kind !== 'person') return undefined
  if (!isIn(access.scope, place.environment)) return undefined
  // A person may have access to both environments, and the store exist in only one.
  const store = await gateway.backOffice.findMerchant(place.storeId)
  if (store?.enabled !== true) return undefined
  return { ...place, gateway, access, storeName: store.name }
}

/** Production has no test tools. */
function isSandboxOnly(environment: Environment, needed: Permission): boolean {
  return environment === 'production' && needed.startsWith('sandbox:')
}

function requirePermission(parts: PanelParts, needed: Permission): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const { access, environment } = visitOf(c)
    if (may(access, environment, needed)) {
      await next()
      return undefined
    }
    return renderNotice(c, parts, isSandboxOnly(environment, needed) ? 'notFound' : 'notAllowed')
  }
}
