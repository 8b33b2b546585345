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
import { placeOf } from '../model/console-gateway.js'
import { type Flash, setFlash } from './flash.js'
import type { PageFrame } from './shown-page.js'
import { type ActEnd, type EndAct, actOf, logRefused } from './page-act.js'
import type { PanelParts } from './panel-parts.js'
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
} from './visit.js'

/** What a page shows under its title. */
export interface Shown {
  readonly body: Child
  /** Default: that of the navigation's page. */
  readonly title?: string
  readonly heading?: Child
  /** What it shows is gone once it changes, so it does not follow changes. */
  readonly still?: boolean
}

/**
 * The result of an action, on the page that had the form or on the page `to`; `once`: what no other
 * page may know, as the answer itself; `again`: the form, with what was typed and what is wrong.
 */
export type Outcome = Told | Once | Again

interface Again {
  readonly again: ShownOnce
  /** What the log has of why it was not done. */
  readonly detail?: ActDetail
}

interface Once {
  readonly once: ShownOnce
  /** What the log has of it beside what was asked. */
  readonly detail?: ActDetail
}

interface Told {
  /** For the log of acts: a text may be of several outcomes. */
  readonly end: ActEnd
  readonly flash: Flash
  /** Default: the page of the form. */
  readonly to?: string
  /** What the log has of it beside what was asked. */
  readonly detail?: ActDetail
}

type Beside = Pick<Told, 'to' | 'detail'>

/** The act was done. */
export function done(flash: Flash, beside?: Beside): Told {
  return { end: 'done', flash, ...beside }
}

/** It was not, or not as far as is known. */
export function refused(flash: Flash, beside?: Beside): Told {
  return { end: 'refused', flash, ...beside }
}

interface ShownOnce extends Shown {
  readonly title: string
}

/** Who may post a form, and as what the log of acts keeps it. */
export interface ActionRule {
  readonly needs: Permission
  readonly act: ActName
  /** Wants a proof of the last five minutes that it is the person. */
  readonly stepUp?: true
  /** What the log has of the form, before it is done. */
  readonly detail?: (form: Form) => ActDetail
}

/** Whatever plays the bank or the shop. */
export const SANDBOX_TOOL = {
  needs: 'sandbox:tools',
  act: 'sandbox:tools',
} as const satisfies ActionRule

/** A response is the whole answer. */
type Show = (visit: Visit) => Shown | Response | undefined | Promise<Shown | Response | undefined>
type Act = (visit: Visit, form: Form) => Promise<Outcome>
type TakeUpload = (visit: Visit, upload: UploadForm) => Promise<Outcome>

/** What a page below wants of its reader, beside what the navigation's page wants. */
interface Wanted {
  readonly needs: Permission
}

/** Where a page of the navigation adds its addresses. */
export interface ConsolePages {
  /**
   * Answers only who may see the navigation's page, or has what this one wants.
   * @param rest - Show answers undefined where there is nothing at this address.
   */
  readonly page: (
    path: string,
    ...rest: readonly [show: Show] | readonly [wants: Wanted, show: Show]
  ) => void
  /** A list to keep, for whoever may see its page and take it out. */
  readonly file: (path: string, answer: (visit: Visit) => Response | Promise<Response>) => void
  /** What a posted form does. What a person does is logged before and after. */
  readonly action: (path: string, rule: ActionRule, act: Act) => void
  /** What a posted form with a file does: as an action, except that it is read as it comes. */
  readonly upload: (path: string, rule: ActionRule, take: TakeUpload) => void
}

/** Everything under `/:environment/:store`; nobody reaches it who may not see that store. */
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

/** What somebody tries who may not: their pages have no such form. */
function logRefusal(parts: PanelParts, { act, needs }: ActionRule): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const visit = visitOf(c)
    const { access, environment } = visit
    if (!isNowhere(environment, needs) && !may(access, environment, needs))
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

/** Its token comes before its file, which nobody reads without. */
async function answerUpload(
  c: PanelContext,
  parts: PanelParts,
  { page, rule, take }: Of & { readonly take: TakeUpload },
): Promise<Response> {
  const visit = visitOf(c)
  const upload = await readUpload(c)
  const { form } = upload
  if (!isOwnForm(c, parts, form)) return renderNotice(c, parts, 'formRefused')
  const detail = rule.detail?.(form)
  const end = await actOf(parts, visit, { action: rule.act, ...(detail && { detail }) })
  const file = upload.file && { ...upload.file, content: whileAllowed(parts, visit, upload.file) }
  const outcome = await take(visit, { form, file }).catch((error: unknown): Outcome => {
    if (error instanceof NotAllowedError) return refused('not-allowed')
    throw error
  })
  return await answerOutcome(c, parts, { page, outcome, end, form })
}

/** A file, whose end wants of its sender what its beginning did: a long one takes long. */
async function* whileAllowed(parts: PanelParts, visit: Visit, { content }: UploadedContent) {
  yield* content
  await requireStillSignedIn(parts, visit)
}

interface Ended {
  readonly page: PageFrame
  readonly outcome: Outcome
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
  const why = WHY_REFUSED[outcome.flash]
  await end(outcome.end, why === undefined ? outcome.detail : { ...outcome.detail, why })
  setFlash(c, parts, outcome.flash)
  return c.redirect(outcome.to ?? ownPath(form.get('here') ?? '/'), 303)
}

/** Reasons that the log names: the others stand in what the act was asked for. */
const WHY_REFUSED: Readonly<Partial<Record<Flash, string>>> = {
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

/** Changes nothing but by a form that this browser got from the panel. */
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
  // Whose session is over has a page of it: leaving is all that it can do.
  const isLeaving = c.req.path === '/sign-out' && c.var.signedIn === undefined
  const isOwn = isLeaving || isFormToken(form.get('csrf') ?? '', formSecretOf(c))
  return isOwn && isFromOwnPage(c.req.raw, parts.site)
}

/** Sends whoever is not signed in to the sign-in, and from there back to the page. */
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

/** Where no people are, only a store's secret opens the console. */
export function signInPath({ people }: PanelParts): string {
  return people === undefined ? '/sign-in/sandbox' : '/sign-in'
}

/** Whoever knows a store's secret is always in that store. */
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

/** A store of somebody else is not found, as one that does not exist. */
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
  const place = placeOf(c.req.path)
  if (place === undefined || signedIn === undefined) return undefined
  if (signedIn.kind === 'store-secret') {
    const isOwn = place.environment === 'sandbox' && place.storeId === entered?.storeId
    return isOwn ? entered : undefined
  }
  const { access } = signedIn
  const gateway = parts.environments[place.environment]
  if (gateway === undefined || access?.kind !== 'person') return undefined
  if (!isIn(access.scope, place.environment)) return undefined
  // Who may enter both environments: one of them may have no such store.
  const store = await gateway.backOffice.findMerchant(place.storeId)
  if (store?.enabled !== true) return undefined
  return { ...place, gateway, access, storeName: store.name }
}

/** In production there are no test tools for anybody. */
function isNowhere(environment: Environment, needed: Permission): boolean {
  return environment === 'production' && needed.startsWith('sandbox:')
}

function requirePermission(parts: PanelParts, needed: Permission): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const { access, environment } = visitOf(c)
    if (may(access, environment, needed)) {
      await next()
      return undefined
    }
    return renderNotice(c, parts, isNowhere(environment, needed) ? 'notFound' : 'notAllowed')
  }
}
