import { TLSSocket } from 'node:tls'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type BankAccount, type Scope } from './account.js'
import { thumbprintOf, disturb } from '@cofre/provider-kit/simulator'
import {
  type ChargeKind,
  findCharge,
  listCharges,
  patchCharge,
  putCharge,
  renderCharge,
  renderPaidCharge,
} from './charges.js'
import { shakeHands } from './notices.js'
import {
  findPayment,
  findRefund,
  listPayments,
  renderPayment,
  renderRefund,
  requestRefund,
} from './payments.js'
import type { PixBank } from './pix-bank.js'
import { PixProblem } from './wire/problem.js'
import { OAuthProblem } from './tokens.js'
import {
  findWebhook,
  listWebhooks,
  readRegistration,
  removeWebhook,
  renderWebhook,
} from './webhooks.js'
import {
  readChargeQuery,
  readDatedChargeQuery,
  readPaymentQuery,
  readWebhookQuery,
} from './wire/wire.js'

const MINUTE_S = 60
export const BODY_BYTES_MAX = 256 * 1024
const FORM = 'application/x-www-form-urlencoded'

export interface Env {
  Bindings: HttpBindings
  Variables: { account: BankAccount }
}

/** A bank's paths and its required headers: banks differ. */
export interface ApiConventions {
  /** The API's base; several if a bank mixes versions, as Sicredi does. */
  readonly api: readonly string[]
  readonly token: string
  /** Required headers of every API call, as Banco do Brasil's application key. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The bank's API over mTLS. */
export function createApiRoutes(bank: PixBank, manners: ApiConventions): Hono<Env> {
  const app = new Hono<Env>()
  app.use(disturb(bank))
  app.use(bodyLimit({ maxSize: BODY_BYTES_MAX }))
  app.post(manners.token, async (c) => {
    c.header('Cache-Control', 'no-store')
    return c.json(bank.tokens.issue(await readTokenRequest(c)))
  })
  for (const base of manners.api) {
    app.use(`${base}/*`, requireHeader(manners.headers ?? {}))
    app.route(base, chargeRoutes(bank, 'cob'))
    app.route(base, chargeRoutes(bank, 'cobv'))
    app.route(base, paymentRoutes(bank))
    app.route(base, webhookRoutes(bank))
  }
  app.notFound((c) => problem(c, new PixProblem('NaoEncontrado', 'Recurso não encontrado.')))
  app.onError(answerError)
  return app
}

/** The documented answer to an error, or that of OAuth 2. */
export function answerError(error: Error, c: Context<Env>): Response {
  if (error instanceof PixProblem) return problem(c, error)
  if (error instanceof OAuthProblem) {
    if (error.body.error === 'invalid_token')
      c.header('WWW-Authenticate', 'Bearer error="invalid_token"')
    return c.json(error.body, error.status)
  }
  return problem(c, new PixProblem('ErroInternoDoServidor', error.message))
}

function chargeRoutes(bank: PixBank, kind: ChargeKind): Hono<Env> {
  const { book, conditions } = bank
  const app = new Hono<Env>()
  const readQuery = kind === 'cob' ? readChargeQuery : readDatedChargeQuery
  // Efí's own SDK requests the list with a trailing slash.
  app.on('GET', [`/${kind}`, `/${kind}/`], needs(bank, `${kind}.read`), (c) =>
    c.json(listCharges(book, c.var.account, { kind, query: readQuery(c.req.query()) })),
  )
  app.put(`/${kind}/:txid`, needs(bank, `${kind}.write`), async (c) => {
    const sent = {
      kind,
      txid: c.req.param('txid'),
      body: await readJson(c),
      ...(conditions.lifetime === 'minute' && { lifetimeMaxS: MINUTE_S }),
    }
    return c.json(renderCharge(putCharge(book, c.var.account, sent)), 201)
  })
  app.patch(`/${kind}/:txid`, needs(bank, `${kind}.write`), async (c) => {
    const sent = { kind, txid: c.req.param('txid'), body: await readJson(c) }
    return c.json(renderCharge(patchCharge(book, c.var.account, sent)))
  })
  app.get(`/${kind}/:txid`, needs(bank, `${kind}.read`), (c) => {
    const charge = findCharge(book, c.var.account, { kind, txid: c.req.param('txid') })
    const revision = c.req.query('revisao')
    return c.json(renderPaidCharge(charge, revision === undefined ? undefined : Number(revision)))
  })
  return app
}

/** Payments that arrived, and their refunds. */
export function paymentRoutes(bank: PixBank): Hono<Env> {
  const { book } = bank
  const app = new Hono<Env>()
  app.get('/pix', needs(bank, 'pix.read'), (c) =>
    c.json(listPayments(book, c.var.account, readPaymentQuery(c.req.query()))),
  )
  app.get('/pix/:e2eid', needs(bank, 'pix.read'), (c) =>
    c.json(renderPayment(findPayment(book, c.var.account, c.req.param('e2eid')))),
  )
  app.put('/pix/:e2eid/devolucao/:id', needs(bank, 'pix.write'), async (c) => {
    const { e2eid, id } = c.req.param()
    const payment = findPayment(book, c.var.account, e2eid)
    const refund = requestRefund(book, payment, { id, body: await readJson(c) })
    // As at banks: in process in this answer, settled in the next look-up.
    const answer = renderRefund(refund)
    if (bank.conditions.refunds === 'settled') bank.controls.endRefund(e2eid, id, 'DEVOLVIDO')
    return c.json(answer, 201)
  })
  app.get('/pix/:e2eid/devolucao/:id', needs(bank, 'pix.read'), (c) => {
    const payment = findPayment(book, c.var.account, c.req.param('e2eid'))
    return c.json(renderRefund(findRefund(payment, c.req.param('id'))))
  })
  return app
}

function webhookRoutes(bank: PixBank): Hono<Env> {
  const { book, post } = bank
  const app = new Hono<Env>()
  app.get('/webhook', needs(bank, 'webhook.read'), (c) =>
    c.json(listWebhooks(book, c.var.account, readWebhookQuery(c.req.query()))),
  )
  app.put('/webhook/:chave', needs(bank, 'webhook.write'), async (c) => {
    const sent = { pixKey: c.req.param('chave'), body: await readJson(c) }
    const webhook = readRegistration(book, c.var.account, sent)
    const skipsRefusal = c.req.header('x-skip-mtls-checking') === 'true'
    if (bank.webhookHandshake === 'efi') await shakeHands({ post, webhook, skipsRefusal })
    book.save({ webhook })
    return c.json({ webhookUrl: webhook.url })
  })
  app.get('/webhook/:chave', needs(bank, 'webhook.read'), (c) =>
    c.json(renderWebhook(findWebhook(book, c.var.account, c.req.param('chave')))),
  )
  app.delete('/webhook/:chave', needs(bank, 'webhook.write'), (c) => {
    removeWebhook(book, c.var.account, c.req.param('chave'))
    return c.body(null, 204)
  })
  return app
}

function requireHeader(wanted: Readonly<Record<string, string>>): MiddlewareHandler<Env> {
  return async (c, next) => {
    for (const [name, value] of Object.entries(wanted))
      if (c.req.header(name) !== value)
        throw new OAuthProblem('invalid_client', `the header ${name} is missing or wrong`)
    await next()
  }
}

/** Requires a token with this scope, over the connection that it is bound to. */
export function needs({ tokens }: Pick<PixBank, 'tokens'>, scope: Scope): MiddlewareHandler<Env> {
  return async (c, next) => {
    const [, token] = /^Bearer ([\w-]+)$/i.exec(c.req.header('Authorization') ?? '') ?? []
    c.set('account', tokens.authorize({ token, thumbprint: thumbprintAt(c), scope }))
    await next()
  }
}

export function thumbprintAt(c: Context<Env>): string {
  const { socket } = c.env.incoming
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
  // The listener requires a certificate.
  if (certificate === undefined) throw new OAuthProblem('invalid_client', 'no certificate')
  return thumbprintOf(certificate.raw)
}

function problem(c: Context<Env>, { body, status }: PixProblem) {
  return c.body(JSON.stringify(body), status, { 'Content-Type': 'application/problem+json' })
}

export async function readJson(c: Context<Env>): Promise<unknown> {
  try {
    return await c.req.json()
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new PixProblem('RequisicaoInvalida', 'O corpo não é JSON.')
  }
}

/** As a form or as JSON, with the client by Basic or in the body: banks differ. */
export async function readTokenRequest(c: Context<Env>) {
  const fields = await readTokenFields(c)
  const [, encoded] = /^Basic (.+)$/i.exec(c.req.header('Authorization') ?? '') ?? []
  const text = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString()
  const [, basicId, basicSecret] = /^([^:]*):(.*)$/.exec(text ?? '') ?? []
  return {
    grantType: fields.get('grant_type') ?? c.req.query('grant_type'),
    clientId: basicId ?? fields.get('client_id'),
    clientSecret: basicSecret ?? fields.get('client_secret'),
    scope: fields.get('scope'),
    thumbprint: thumbprintAt(c),
  }
}

async function readTokenFields(c: Context<Env>): Promise<ReadonlyMap<string, string>> {
  const contentType = c.req.header('Content-Type') ?? ''
  if (contentType.startsWith(FORM))
    return new Map(new URLSearchParams(await c.req.text()).entries())
  const json = await c.req.json<unknown>().catch(() => undefined)
  if (typeof json !== 'object' || json === null)
    throw new OAuthProblem('invalid_request', 'neither a form nor JSON')
  return new Map(
    Object.entries(json).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
