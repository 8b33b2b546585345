import {
  MalformedFormError,
  Notice,
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
import { type MinorUnits, minorUnits, parseAmount } from '@cofre/contracts'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { PixBank } from '../pix-bank.js'
import { PixProblem } from '../problem.js'
import { ConditionsForm, NoticeTable } from './bank-state.js'
import { ChargeDetails } from './charge-details.js'
import { ChargeList, addressOf, titleOf } from './charge-list.js'
import { Layout, TEXTS, type Texts, type View, assets } from './view.js'

const CHARGES_SHOWN = 50
const NOTICES_SHOWN = 20
const COOKIE = 'cofre_pix_bank'

const conditionsSchema = z.object({
  notices: z.enum(['once', 'twice', 'never']),
  refunds: z.enum(['settled', 'held']),
  lifetime: z.enum(['asked', 'minute']),
  delayMs: z.enum(['0', '2000', '10000', '30000']).transform(Number),
  connection: z.enum(['kept', 'cut-before', 'cut-after']),
})

/** What a person wrote is not an amount of money. */
class AmountError extends Error {}

interface BankPages {
  readonly bank: PixBank
  /** Where browsers reach the page; it is known once its port is. */
  readonly url: () => string
}

interface Env {
  Variables: {
    cookieId: string
    fields: ReadonlyMap<string, string>
    /** Of the charge that a form is about. */
    address: string | undefined
  }
}

/** The page on which a person plays payer and bank. Loopback only: nobody signs in. */
export function createBankPages({ bank, url }: BankPages): Hono<Env> {
  const site = () => ({ url: url(), name: COOKIE, sameSite: 'Strict' as const })
  const app = new Hono<Env>()
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
    const known = readCookie(c, site(), COOKIE)
    const cookieId = known !== undefined && isCookieId(known) ? known : newCookieId()
    if (cookieId !== known) writeCookie(c, site(), { name: COOKIE, value: cookieId })
    c.set('cookieId', cookieId)
    await next()
  })
  app.use(limitForms((c: Context<Env>) => problemPage(c, viewOf(c, bank, site()), 'form')))
  app.get('/', (c) => chargesPage(c, bank, viewOf(c, bank, site())))
  app.get('/charges', (c) => {
    const charge = bank.controls.chargeOfCode(c.req.query('code')?.trim() ?? '')
    return c.redirect(addressOf(charge), 303)
  })
  app.get('/charges/:txid', (c) => chargePage(c, bank, viewOf(c, bank, site())))
  app.post('*', async (c, next) => {
    const fields = await readForm(c)
    if (!isFromOwnPage(c.req.raw, site()) || !isFormToken(fields.get('csrf') ?? '', c.var.cookieId))
      return problemPage(c, viewOf(c, bank, site()), 'form')
    c.set('fields', fields)
    await next()
    return undefined
  })
  addActions(app, bank)
  app.notFound((c) => problemPage(c, viewOf(c, bank, site()), 'missing'))
  app.onError((error, c) => {
    if (error instanceof AmountError) return back(c, 'amount')
    if (error instanceof RangeError || error instanceof PixProblem) {
      return c.req.method === 'GET'
        ? problemPage(c, viewOf(c, bank, site()), 'missing')
        : back(c, 'state')
    }
    if (!(error instanceof MalformedFormError || error instanceof z.ZodError)) throw error
    return problemPage(c, viewOf(c, bank, site()), 'form')
  })
  return app
}

function addActions(app: Hono<Env>, { controls, conditions }: PixBank): void {
  app.post('/charges/:txid/*', async (c, next) => {
    c.set('address', addressOf(controls.chargeOf(c.req.param('txid'))))
    await next()
  })
  app.post('/payments/:id/*', async (c, next) => {
    const { txid } = controls.paymentOf(c.req.param('id'))
    c.set('address', txid === undefined ? undefined : addressOf({ txid }))
    await next()
  })
  app.post('/conditions', (c) => {
    Object.assign(conditions, conditionsSchema.parse(Object.fromEntries(c.var.fields)))
    return back(c, 'applied')
  })
  app.post('/charges/:txid/pay', (c) => {
    controls.pay(c.req.param('txid'), c.var.fields.has('amount') ? amountIn(c) : undefined)
    return back(c, 'paid')
  })
  app.post('/charges/:txid/remove', (c) => {
    controls.removeCharge(c.req.param('txid'))
    return back(c, 'removed')
  })
  app.post('/payments/:id/notice', (c) => {
    controls.notify([c.req.param('id')])
    return back(c, 'sent')
  })
  app.post('/payments/:id/take-back', (c) => {
    const refund = { amountMinor: amountIn(c), nature: 'MED_FRAUDE' } as const
    controls.refundAtBank(c.req.param('id'), refund)
    return back(c, 'refunded')
  })
  app.post('/payments/:id/refunds/:refund/:end{settle|refuse}', (c) => {
    const { id, refund, end } = c.req.param()
    controls.endRefund(id, refund, end === 'settle' ? 'DEVOLVIDO' : 'NAO_REALIZADO')
    return back(c, 'refunded')
  })
}

type Said = keyof Texts['done'] | keyof Texts['refused']

/** To the charge, or to all of them, with what was done. */
function back(c: Context<Env>, said: Said) {
  // Nothing is set where the charge was not found.
  const address = (c.var as Partial<Env['Variables']>).address ?? '/'
  return c.redirect(`${address}?said=${said}`, 303)
}

function amountIn(c: Context<Env>): MinorUnits {
  const text = c.var.fields.get('amount')?.trim().replace(',', '.') ?? ''
  const amount = /^\d{1,10}(\.\d{1,2})?$/.test(text) ? parseAmount(text) : undefined
  if (amount === undefined || amount === 0) throw new AmountError()
  return minorUnits(amount)
}

function viewOf(c: Context<Env>, { book }: PixBank, site: Parameters<typeof languageOf>[1]): View {
  const language = languageOf(c, site)
  const csrfToken = formTokenOf(c.var.cookieId)
  const here = c.req.method === 'GET' ? c.req.path : '/'
  return { language, texts: TEXTS[language], csrfToken, here, nowMs: book.clock.now() }
}

function chargesPage(c: Context<Env>, { book, conditions, notices }: PixBank, view: View) {
  const { texts } = view
  const charges = [...book.charges.values()].toReversed().slice(0, CHARGES_SHOWN)
  const attempts = notices.attempts.toReversed().slice(0, NOTICES_SHOWN)
  return sendDocument(
    c,
    <Layout view={view} title={texts.name}>
      <h1>{texts.name}</h1>
      <p>{texts.intro}</p>
      <Flash view={view} said={c.req.query('said') ?? ''} />
      <ConditionsForm view={view} conditions={conditions} />
      <ChargeList view={view} charges={charges} />
      <NoticeTable view={view} attempts={attempts} />
    </Layout>,
  )
}

function chargePage(c: Context<Env>, { controls, notices }: PixBank, view: View) {
  const charge = controls.chargeOf(c.req.param('txid') ?? '')
  const isAbout = (id: string) => charge.payments.some(({ endToEndId }) => endToEndId === id)
  const attempts = notices.attempts.filter(({ endToEndIds }) => endToEndIds.some(isAbout))
  return sendDocument(
    c,
    <Layout view={view} title={titleOf(view, charge)}>
      <Flash view={view} said={c.req.query('said') ?? ''} />
      <ChargeDetails view={view} charge={charge} />
      <NoticeTable view={view} attempts={attempts.toReversed()} />
      <BackLink view={view} />
    </Layout>,
  )
}

function BackLink({ view }: { readonly view: View }) {
  return (
    <p>
      <a class="button quiet" href="/">
        {view.texts.back}
      </a>
    </p>
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
        <BackLink view={view} />
      </Notice>
    </Layout>,
    name === 'form' ? 403 : 404,
  )
}
