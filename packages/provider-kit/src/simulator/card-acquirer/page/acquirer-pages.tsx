import { fill, sendDocument } from '@cofre/pages'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { AmountError, amountIn } from '../../page/amount.js'
import { type PageEnv, createPages } from '../../page/pages.js'
import { Flash, Layout } from '../../page/view.js'
import { SentNotices, RuleList, SettingsForm } from './acquirer-state.js'
import { type ShownChallenges, addChallenges } from './challenge-page.js'
import { PaymentList } from './payment-list.js'
import type { EntryAction, PaymentAction, ShownAcquirer } from './shown-payment.js'
import { TEXTS, type Texts, type View } from './view.js'

const PAYMENTS_SHOWN = 50
const NOTICES_SHOWN = 20
const { payments: PAYMENT_TEXTS, entries: ENTRY_TEXTS } = TEXTS.en

const paymentActionSchema = z.enum(Object.keys(PAYMENT_TEXTS.actions) as PaymentAction[])
const entryActionSchema = z.enum(Object.keys(ENTRY_TEXTS.actions) as EntryAction[])

interface AcquirerPages {
  readonly acquirer: ShownAcquirer
  /** The pages that ask cardholders to authenticate. */
  readonly challenges?: ShownChallenges
  /** The page's address for browsers; known once its port is. */
  readonly url: () => string
}

/** The page on which a person simulates issuer and card scheme. */
export function createAcquirerPages({ acquirer, challenges, url }: AcquirerPages): Hono<PageEnv> {
  return createPages<View>({
    url,
    cookie: acquirer.cookie,
    viewFor(reader) {
      const texts = TEXTS[reader.language]
      return { ...reader, texts, name: fill(texts.name, { acquirer: acquirer.name }) }
    },
    addRoutes(app, view) {
      app.get('/', (c) => paymentsPage(c, acquirer, view(c)))
      app.get('/settlement.csv', (c) => settlementFile(c, acquirer))
      addActions(app, acquirer)
      if (challenges !== undefined) addChallenges(app, challenges, view)
    },
    refuse(error, c) {
      if (error instanceof AmountError) return back(c, 'amount')
      return error instanceof RangeError ? back(c, 'state') : undefined
    },
  })
}

function addActions(app: Hono<PageEnv>, acquirer: ShownAcquirer): void {
  app.post('/settings', (c) => {
    acquirer.apply(Object.fromEntries(c.var.fields))
    return back(c, 'applied')
  })
  app.post('/payments/:id/give-back', (c) => {
    const { id } = c.req.param()
    acquirer.refund(id, amountIn(c.var.fields))
    return back(c, 'done', id)
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

type FlashName = keyof Texts['done'] | keyof Texts['refused']

/** Redirects to the payments with the result; a browser then scrolls to the payment. */
function back(c: Context, flash: FlashName, id?: string) {
  return c.redirect(`/?said=${flash}${id === undefined ? '' : `#${id}`}`, 303)
}

function settlementFile(c: Context, { settlementReport }: ShownAcquirer) {
  if (settlementReport === undefined) return c.notFound()
  c.header('Content-Disposition', 'attachment; filename="settlement_detail_report_batch_1.csv"')
  return c.body(settlementReport(), 200, { 'Content-Type': 'text/csv; charset=utf-8' })
}

function paymentsPage(c: Context, acquirer: ShownAcquirer, view: View) {
  return sendDocument(
    c,
    <Layout view={view} title={view.name}>
      <h1>{view.name}</h1>
      <p>{view.texts.intro}</p>
      <Flash view={view} flash={c.req.query('said') ?? ''} />
      <RuleList view={view} acquirer={acquirer} />
      <SettingsForm view={view} settings={acquirer.settings()} />
      {acquirer.settlementReport !== undefined && (
        <p>
          <a href="/settlement.csv" download>
            {view.texts.settlementReport}
          </a>
        </p>
      )}
      <PaymentList view={view} payments={acquirer.payments().slice(0, PAYMENTS_SHOWN)} />
      <SentNotices
        view={view}
        attempts={acquirer.attempts().toReversed().slice(0, NOTICES_SHOWN)}
      />
    </Layout>,
  )
}
