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
import { addPaymentActions, PaymentCard, PixProblem } from '@cofre/pix-api/simulator-parts'
import { letTimePass } from '../boletos.js'
import type { InterControls } from '../controls.js'
import type { Inter } from '../inter.js'
import { type Act, BoletoDetails } from './boleto-details.js'
import { BoletoList, addressOf, titleOf } from './boleto-list.js'
import { InterConditionsForm, SentCallbacks } from './inter-state.js'
import { TEXTS, type Texts, type View } from './view.js'

const BOLETOS_SHOWN = 50
const NOTICES_SHOWN = 20
const COOKIE = 'cofre_inter'

const conditionsSchema = z.object({
  issue: z.enum(['0', '5000', '30000', 'held']).transform((chosen) => {
    return chosen === 'held' ? chosen : Number(chosen)
  }),
  notices: z.enum(['once', 'twice', 'never']),
  refunds: z.enum(['settled', 'held']),
  delayMs: z.enum(['0', '2000', '10000', '30000']).transform(Number),
  connection: z.enum(['kept', 'cut-before', 'cut-after']),
})
const waySchema = z.enum(['line', 'pix'])

interface InterPages {
  readonly inter: Inter
  /** The page's address for browsers; known once its port is. */
  readonly url: () => string
}

/** The pages on which a person simulates payer and bank. */
export function createInterPages({ inter, url }: InterPages): Hono<PageEnv> {
  const viewFor = (reader: Reader): View => {
    const texts = TEXTS[reader.language]
    return { ...reader, texts, name: texts.name }
  }
  return createPages<View>({
    url,
    cookie: COOKIE,
    viewFor,
    addRoutes(app, view) {
      app.get('/', (c) => boletosPage(c, inter, view(c)))
      app.get('/boletos', (c) => {
        const boleto = inter.controls.boletoOfPrint(c.req.query('code')?.trim() ?? '')
        return c.redirect(addressOf(boleto), 303)
      })
      app.get('/boletos/:code', (c) => boletoPage(c, inter, view(c)))
      addActions(app, inter)
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

type FlashName = keyof Texts['done'] | keyof Texts['refused']

const ACTS: Readonly<Record<Act, (controls: InterControls, code: string) => FlashName>> = {
  issue(controls, code) {
    controls.issue(code)
    return 'issued'
  },
  'fail-issue'(controls, code) {
    controls.failIssue(code)
    return 'changed'
  },
  'mark-received'(controls, code) {
    controls.markReceived(code)
    return 'changed'
  },
  expire(controls, code) {
    controls.expire(code)
    return 'changed'
  },
  cancel(controls, code) {
    controls.cancel(code)
    return 'changed'
  },
  notice(controls, code) {
    controls.notify([code])
    return 'sent'
  },
}

function addActions(app: Hono<PageEnv>, { book, conditions, controls, pix }: Inter): void {
  app.post('/boletos/:code/*', async (c, next) => {
    c.set('address', addressOf(controls.boletoOf(c.req.param('code'))))
    await next()
  })
  app.post('/payments/:id/*', async (c, next) => {
    const { txid } = pix.controls.paymentOf(c.req.param('id'))
    const boletos = [...book.boletos.values()]
    const boleto = boletos.find(({ codes }) => txid !== undefined && codes?.pix?.txid === txid)
    c.set('address', boleto && addressOf(boleto))
    await next()
  })
  app.post('/conditions', (c) => {
    Object.assign(conditions, conditionsSchema.parse(Object.fromEntries(c.var.fields)))
    return redirectWithFlash(c, 'applied')
  })
  app.post('/boletos/:code/pay', (c) => {
    const { fields } = c.var
    controls.pay(c.req.param('code'), {
      way: waySchema.parse(fields.get('way')),
      amountMinor: fields.has('amount') ? amountIn(fields) : undefined,
    })
    return redirectWithFlash(c, 'paid')
  })
  for (const [name, act] of Object.entries(ACTS))
    app.post(`/boletos/:code/${name}`, (c) =>
      redirectWithFlash(c, act(controls, c.req.param('code'))),
    )
  addPaymentActions(app, pix.controls, (c) => redirectWithFlash(c, 'refunded'))
}

/** Redirects to the boleto, or to all of them, with the result. */
function redirectWithFlash(c: Context<PageEnv>, flash: FlashName) {
  return c.redirect(`${c.var.address ?? '/'}?said=${flash}`, 303)
}

function boletosPage(c: Context<PageEnv>, inter: Inter, view: View) {
  const { texts } = view
  const boletos = [...inter.book.boletos.values()].toReversed().slice(0, BOLETOS_SHOWN)
  for (const boleto of boletos) letTimePass(inter.boletos, boleto)
  const attempts = inter.callbacks.attempts.toReversed().slice(0, NOTICES_SHOWN)
  return sendDocument(
    c,
    <Layout view={view} title={texts.name}>
      <h1>{texts.name}</h1>
      <p>{texts.intro}</p>
      <Flash view={view} flash={c.req.query('said') ?? ''} />
      <InterConditionsForm view={view} conditions={inter.conditions} />
      <BoletoList view={view} boletos={boletos} />
      <SentCallbacks view={view} attempts={attempts} />
    </Layout>,
  )
}

function boletoPage(c: Context<PageEnv>, { book, callbacks, controls }: Inter, view: View) {
  const boleto = controls.boletoOf(c.req.param('code') ?? '')
  const payment = book.payments.get(boleto.received?.endToEndId ?? '')
  const attempts = callbacks.attempts.filter(({ payload }) =>
    payload.some(({ codigoSolicitacao }) => codigoSolicitacao === boleto.code),
  )
  return sendDocument(
    c,
    <Layout view={view} title={titleOf(view, boleto)}>
      <Flash view={view} flash={c.req.query('said') ?? ''} />
      <BoletoDetails view={view} boleto={boleto} />
      {payment !== undefined && <PaymentCard view={view} payment={payment} />}
      <SentCallbacks view={view} attempts={attempts.toReversed()} />
      <BackLink view={view} />
    </Layout>,
  )
}
