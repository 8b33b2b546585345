import {
  MalformedFormError,
  Notice,
  fill,
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
  sendDocument,
  writeCookie,
} from '@cofre/pages'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { NoticeTable, SettingsForm } from './acquirer-state.js'
import { PaymentList } from './payment-list.js'
import type { EntryAction, PaymentAction, ShownAcquirer } from './shown-payment.js'
import { Layout, TEXTS, type Texts, type View, assets } from './view.js'

const PAYMENTS_SHOWN = 50
const NOTICES_SHOWN = 20
const { payments: PAYMENT_TEXTS, entries: ENTRY_TEXTS } = TEXTS.en

const paymentActionSchema = z.enum(Object.keys(PAYMENT_TEXTS.actions) as PaymentAction[])
const entryActionSchema = z.enum(Object.keys(ENTRY_TEXTS.actions) as EntryAction[])

interface AcquirerPages {
  readonly acquirer: ShownAcquirer
  /** Where browsers reach the page; it is known once its port is. */
  readonly url: () => string
}

export interface PageEnv {
  Variables: { cookieId: string; fields: ReadonlyMap<string, string> }
}

/** The page on which a person plays issuer and card scheme. Loopback only: nobody signs in. */
export function createAcquirerPages({ acquirer, url }: AcquirerPages): Hono<PageEnv> {
  const { cookie } = acquirer
  const site = () => ({ url: url(), name: cookie, sameSite: 'Strict' as const })
  const view = (c: Context<PageEnv>): View => {
    const language = languageOf(c, site())
    const csrfToken = formTokenOf(c.var.cookieId)
    const texts = TEXTS[language]
    const name = fill(texts.name, { acquirer: acquirer.name })
    return { name, language, texts, csrfToken }
  }
  const app = new Hono<PageEnv>()
  app.use(securityHeaders({ url: 'http://127.0.0.1' }, { referrerPolicy: 'no-referrer' }))
  // A name that somebody else's server gave to this machine's address is not ours.
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
  app.get('/', (c) => paymentsPage(c, acquirer, view(c)))
  app.post('*', async (c, next) => {
    const fields = await readForm(c)
    if (!isFromOwnPage(c.req.raw, site()) || !isFormToken(fields.get('csrf') ?? '', c.var.cookieId))
      return problemPage(c, view(c), 'form')
    c.set('fields', fields)
    await next()
    return undefined
  })
  addActions(app, acquirer)
  app.notFound((c) => problemPage(c, view(c), 'missing'))
  app.onError((error, c) => {
    if (error instanceof RangeError) return back(c, 'state')
    if (!(error instanceof MalformedFormError || error instanceof z.ZodError)) throw error
    return problemPage(c, view(c), 'form')
  })
  return app
}

function addActions(app: Hono<PageEnv>, acquirer: ShownAcquirer): void {
  app.post('/settings', (c) => {
    acquirer.apply(Object.fromEntries(c.var.fields))
    return back(c, 'applied')
  })
  app.post('/payments/:id/:action', (c) => {
    const { id, action } = c.req.param()
    acquirer.act(id, paymentActionSchema.parse(action))
    return back(c, 'done', id)
  })
  app.post('/payments/:payment/entries/:id/:action', (c) => {
    const { action, ...entry } = c.req.param()
    acquirer.actOn(entry, entryActionSchema.parse(action))
    return back(c, 'done', entry.payment)
  })
}

type Said = keyof Texts['done'] | keyof Texts['refused']

/** To the payments, with what was done; a browser then shows the payment at which it was. */
function back(c: Context, said: Said, id?: string) {
  return c.redirect(`/?said=${said}${id === undefined ? '' : `#${id}`}`, 303)
}

function paymentsPage(c: Context, acquirer: ShownAcquirer, view: View) {
  return sendDocument(
    c,
    <Layout view={view} title={view.name}>
      <h1>{view.name}</h1>
      <p>{view.texts.intro}</p>
      <Flash view={view} said={c.req.query('said') ?? ''} />
      <SettingsForm view={view} settings={acquirer.settings()} />
      <PaymentList view={view} payments={acquirer.payments().slice(0, PAYMENTS_SHOWN)} />
      <NoticeTable
        view={view}
        attempts={acquirer.attempts().toReversed().slice(0, NOTICES_SHOWN)}
      />
    </Layout>,
  )
}

function Flash({ view, said }: { readonly view: View; readonly said: string }) {
  const { done, refused } = view.texts
  const isDone = Object.hasOwn(done, said)
  if (!isDone && !Object.hasOwn(refused, said)) return null
  const text = isDone ? done[said as keyof typeof done] : refused[said as keyof typeof refused]
  return (
    <p class={`flash ${isDone ? 'good' : 'bad'}`} role="status">
      {text}
    </p>
  )
}

function problemPage(c: Context, view: View, name: 'form' | 'missing') {
  const { problems } = view.texts
  return sendDocument(
    c,
    <Layout view={view} title={problems[name].title}>
      <Notice {...problems[name]} level="page">
        <p>
          <a class="button quiet" href="/">
            {problems.back}
          </a>
        </p>
      </Notice>
    </Layout>,
    name === 'form' ? 403 : 404,
  )
}
