import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import {
  type Scope,
  BODY_BYTES_MAX,
  type Env,
  answerError,
  needs,
  paymentRoutes,
  readJson,
  readTokenRequest,
  thumbprintAt,
  listPayments,
  PixProblem,
  readPaymentQuery,
} from '@cofre/pix-api/simulator-parts'
import { disturb } from '@cofre/provider-kit/simulator'
import { boletoPdf } from './boleto-pdf.js'
import { listBoletos, renderBoleto } from './boleto-view.js'
import { cancelBoleto, findBoleto, letTimePass, requestBoleto } from './boletos.js'
import type { Boleto } from './book.js'
import type { CallLimits } from './call-budget.js'
import { findCallback, registerCallback, renderCallback, renderHistory } from './callbacks.js'
import type { Inter } from './inter.js'
import { InterProblem, TooManyCalls } from './problem.js'
import { readHistoryQuery, readListQuery, readResend } from './wire.js'

const BOLETOS = '/cobranca/v3/cobrancas'
const WEBHOOK = `${BOLETOS}/webhook`
const PIX = '/pix/v2'

/** Inter's API over mTLS. */
export function createInterRoutes(inter: Inter): Hono<Env> {
  const app = new Hono<Env>()
  app.use(disturb(inter))
  app.use(bodyLimit({ maxSize: BODY_BYTES_MAX }))
  app.post('/oauth/v2/token', async (c) => {
    const request = await readTokenRequest(c)
    inter.budget.consume(request.thumbprint, 'tokens')
    c.header('Cache-Control', 'no-store')
    return c.json(inter.pix.tokens.issue(request))
  })
  addWebhookRoutes(app, inter)
  addBoletoRoutes(app, inter)
  app.use(`${PIX}/*`, count(inter, 'calls'))
  // The document does not have the bank's own name of the filter.
  app.get(`${PIX}/pix`, needs(inter.pix, 'pix.read'), (c) => {
    const { txId, ...query } = c.req.query()
    const asked = readPaymentQuery({ ...(txId !== undefined && { txid: txId }), ...query })
    return c.json(listPayments(inter.book, c.var.account, asked))
  })
  app.route(PIX, paymentRoutes(inter.pix))
  app.notFound((c) => answerProblem(c, inter, new InterProblem(404, 'Recurso não encontrado.')))
  app.onError((error, c) => {
    if (error instanceof TooManyCalls) return c.json({ message: 'Too Many Requests' }, 429)
    if (error instanceof InterProblem) return answerProblem(c, inter, error)
    if (error instanceof PixProblem && !c.req.path.startsWith(PIX))
      return answerProblem(
        c,
        inter,
        new InterProblem(error.status === 403 ? 403 : 400, error.message),
      )
    return answerError(error, c)
  })
  return app
}

function addBoletoRoutes(app: Hono<Env>, inter: Inter): void {
  const { book, boletos } = inter
  const read = guards(inter, 'boleto-cobranca.read', 'calls')
  const write = guards(inter, 'boleto-cobranca.write', 'calls')
  const found = (c: Context<Env>): Boleto => {
    const boleto = findBoleto(book, c.var.account, c.req.param('code') ?? '')
    letTimePass(boletos, boleto)
    return boleto
  }
  app.post(BOLETOS, ...write, async (c) => {
    const { issue } = inter.conditions
    const delayMs = issue === 'held' ? undefined : issue
    const boleto = requestBoleto(book, c.var.account, { body: await readJson(c), delayMs })
    inter.schedule(boleto)
    return c.json({ codigoSolicitacao: boleto.code })
  })
  app.get(BOLETOS, ...read, (c) => {
    const query = readListQuery(c.req.query())
    for (const boleto of book.boletos.values()) letTimePass(boletos, boleto)
    return c.json(listBoletos(book, c.var.account, query))
  })
  app.get(`${BOLETOS}/:code`, ...read, (c) => c.json(renderBoleto(found(c))))
  app.get(`${BOLETOS}/:code/pdf`, ...read, (c) => {
    const boleto = found(c)
    if (boleto.codes === undefined)
      throw new InterProblem(400, `A cobrança não tem PDF: ${boleto.situation}.`)
    return c.json({ pdf: Buffer.from(boletoPdf(boleto)).toString('base64') })
  })
  app.post(`${BOLETOS}/:code/cancelar`, ...write, async (c) => {
    cancelBoleto(boletos, found(c), await readJson(c))
    return c.body(null, 202)
  })
}

function addWebhookRoutes(app: Hono<Env>, inter: Inter): void {
  const { book, callbacks } = inter
  const read = guards(inter, 'boleto-cobranca.read', 'webhooks')
  const write = guards(inter, 'boleto-cobranca.write', 'webhooks')
  app.put(WEBHOOK, ...write, async (c) => {
    const { account } = c.var
    const number = inter.numberOf(account.taxId)
    registerCallback(book, account, { number, body: await readJson(c) })
    callbacks.sendUnsent(account.taxId)
    return c.body(null, 204)
  })
  app.get(WEBHOOK, ...read, (c) => c.json(renderCallback(findCallback(book, c.var.account))))
  app.delete(WEBHOOK, ...write, (c) => {
    book.save({ removedCallback: findCallback(book, c.var.account).receiver.taxId })
    return c.body(null, 204)
  })
  app.get(`${WEBHOOK}/callbacks`, ...guards(inter, 'boleto-cobranca.read', 'history'), (c) =>
    c.json(renderHistory(callbacks, c.var.account, readHistoryQuery(c.req.query()))),
  )
  app.post(`${WEBHOOK}/callbacks/retry`, ...write, async (c) => {
    const { codigoSolicitacao: codes } = readResend(await readJson(c))
    const { taxId } = c.var.account
    const known = codes.flatMap((code) => book.boletos.get(code) ?? [])
    const own = known.filter(({ receiver }) => receiver.taxId === taxId)
    callbacks.send(own)
    return c.json({ foundIds: own.map(({ code }) => code) })
  })
}

/** Checks the client of a call, its permission, and its limit. */
function guards(inter: Inter, scope: Scope, kind: keyof CallLimits) {
  return [needs(inter.pix, scope), checkNumber(inter), count(inter, kind)] as const
}

/** Clients with several accounts must name one; clients with a single one may. */
function checkNumber(inter: Inter): MiddlewareHandler<Env> {
  return async (c, next) => {
    const named = c.req.header('x-conta-corrente')
    if (named !== undefined && named !== inter.numberOf(c.var.account.taxId))
      throw new InterProblem(403, 'A conta corrente não pertence a esta aplicação.')
    await next()
  }
}

/** Before the client is identified, calls are counted by certificate. */
function count({ budget }: Inter, kind: keyof CallLimits): MiddlewareHandler<Env> {
  return async (c, next) => {
    budget.consume(thumbprintAt(c), kind)
    await next()
  }
}

function answerProblem(c: Context<Env>, { book }: Inter, problem: InterProblem): Response {
  return c.json(problem.bodyAt(book.clock.now()), problem.status)
}
