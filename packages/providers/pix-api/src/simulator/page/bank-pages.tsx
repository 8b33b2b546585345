import { sendDocument } from '@cofre/pages'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import {
  AmountError,
  amountIn,
  type PageEnv,
  createPages,
  BackLink,
  Flash,
  Layout,
  type Reader,
  problemPage,
} from '@cofre/provider-kit/simulator'
import type { PixBank } from '../pix-bank.js'
import { PixProblem } from '../wire/problem.js'
import { BankConditions, SentNotices } from './bank-state.js'
import { addPaymentActions } from './payment-actions.js'
import { ChargeDetails, DAYS_LATE_MAX } from './charge-details.js'
import { ChargeList, addressOf, titleOf } from './charge-list.js'
import { TEXTS, type Texts, type View } from './view.js'

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

const daysSchema = z.coerce.number().int().min(1).max(DAYS_LATE_MAX)

interface BankPages {
  readonly bank: PixBank
  /** The page's address for browsers; known once its port is. */
  readonly url: () => string
}

/** The pages on which a person simulates payer and bank. */
export function createBankPages({ bank, url }: BankPages): Hono<PageEnv> {
  const viewFor = (reader: Reader): View => {
    const texts = TEXTS[reader.language]
    return { ...reader, texts, name: texts.name, nowMs: bank.book.clock.now() }
  }
  return createPages<View>({
    url,
    cookie: COOKIE,
    viewFor,
    addRoutes(app, view) {
      app.get('/', (c) => chargesPage(c, bank, view(c)))
      app.get('/charges', (c) => {
        const charge = bank.controls.chargeOfCode(c.req.query('code')?.trim() ?? '')
        return c.redirect(addressOf(charge), 303)
      })
      app.get('/charges/:txid', (c) => chargePage(c, bank, view(c)))
      addActions(app, bank)
    },
    refuse(error, c, view) {
      if (error instanceof AmountError) return redirectWithFlash(c, 'amount')
      if (!(error instanceof RangeError || error instanceof PixProblem)) return undefined
      return c.req.method === 'GET'
        ? problemPage(c, view(c), 'missing')
        : redirectWithFlash(c, 'state')
    },
  })
}

function addActions(app: Hono<PageEnv>, { controls, conditions }: PixBank): void {
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
    return redirectWithFlash(c, 'applied')
  })
  app.post('/charges/:txid/pay', (c) => {
    controls.pay(
      c.req.param('txid'),
      c.var.fields.has('amount') ? amountIn(c.var.fields) : undefined,
    )
    return redirectWithFlash(c, 'paid')
  })
  app.post('/charges/:txid/pay-late', (c) => {
    controls.payLate(c.req.param('txid'), daysSchema.parse(c.var.fields.get('days')))
    return redirectWithFlash(c, 'paid')
  })
  app.post('/charges/:txid/remove', (c) => {
    controls.removeCharge(c.req.param('txid'))
    return redirectWithFlash(c, 'removed')
  })
  app.post('/payments/:id/notice', (c) => {
    controls.notify([c.req.param('id')])
    return redirectWithFlash(c, 'sent')
  })
  addPaymentActions(app, controls, (c) => redirectWithFlash(c, 'refunded'))
}

type FlashName = keyof Texts['done'] | keyof Texts['refused']

/** Redirects to the charge, or to all of them, with the result. */
function redirectWithFlash(c: Context<PageEnv>, flash: FlashName) {
  return c.redirect(`${c.var.address ?? '/'}?said=${flash}`, 303)
}

function chargesPage(c: Context<PageEnv>, { book, conditions, notices }: PixBank, view: View) {
  const { texts } = view
  const charges = [...book.charges.values()].toReversed().slice(0, CHARGES_SHOWN)
  const attempts = notices.attempts.toReversed().slice(0, NOTICES_SHOWN)
  return sendDocument(
    c,
    <Layout view={view} title={texts.name}>
      <h1>{texts.name}</h1>
      <p>{texts.intro}</p>
      <Flash view={view} flash={c.req.query('said') ?? ''} />
      <BankConditions view={view} conditions={conditions} />
      <ChargeList view={view} charges={charges} />
      <SentNotices view={view} attempts={attempts} />
    </Layout>,
  )
}

function chargePage(c: Context<PageEnv>, { controls, notices }: PixBank, view: View) {
  const charge = controls.chargeOf(c.req.param('txid') ?? '')
  const isAbout = (id: string) => charge.payments.some(({ endToEndId }) => endToEndId === id)
  const attempts = notices.attempts.filter(({ endToEndIds }) => endToEndIds.some(isAbout))
  return sendDocument(
    c,
    <Layout view={view} title={titleOf(view, charge)}>
      <Flash view={view} flash={c.req.query('said') ?? ''} />
      <ChargeDetails view={view} charge={charge} />
      <SentNotices view={view} attempts={attempts.toReversed()} />
      <BackLink view={view} />
    </Layout>,
  )
}
