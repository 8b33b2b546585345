import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Secret } from '@cofre/contracts'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { disturb } from '../pix-bank/disturb.js'
import type { Adyen } from './adyen.js'
import type { AdyenAccount, Payment } from './book.js'
import { tellAuthorisation } from './events.js'
import { type IdempotencyEnv, createIdempotencyKeys } from './idempotency.js'
import { cancelByReference, findPayment, kindOfReversal, modify } from './modifications.js'
import { authorise, renderPayment } from './payments.js'
import { ServiceError } from './service-error.js'
import { readCancel, readCapture, readRefund } from './wire.js'

const BODY_BYTES_MAX = 256 * 1024

interface Env extends IdempotencyEnv {
  Bindings: HttpBindings
}

/** Checkout v72, as far as card payments go. */
export function createApiRoutes(adyen: Adyen): Hono<Env> {
  const { guard, keep } = createIdempotencyKeys()
  const app = new Hono<Env>()
  app.use(bodyLimit({ maxSize: BODY_BYTES_MAX }))
  app.use(signIn(adyen.book.accounts))
  app.use(guard)
  app.use(disturb(adyen))
  app.use(keep)
  app.route('/v72', paymentRoutes(adyen))
  app.notFound((c) => answerError(c, new ServiceError('not_found')))
  app.onError((error, c) =>
    answerError(c, error instanceof ServiceError ? error : new ServiceError('internal')),
  )
  return app
}

function paymentRoutes(adyen: Adyen): Hono<Env> {
  const { book, ledger } = adyen
  const app = new Hono<Env>()
  const paymentIn = (c: Context<Env, '/payments/:psp/*'>): Payment =>
    findPayment(book, c.var.account, c.req.param('psp'))
  app.post('/payments', async (c) => {
    const payment = authorise(book, c.var.account, await readJson(c))
    tellAuthorisation(ledger, payment)
    return c.json(renderPayment(payment))
  })
  app.post('/payments/:psp/captures', async (c) => {
    const { amount, reference } = own(c, readCapture(await readJson(c)))
    const asked = { kind: 'capture', toldBy: 'CAPTURE', amountMinor: amount.value } as const
    return c.json({ ...modify(adyen, paymentIn(c), { ...asked, reference }), amount }, 201)
  })
  app.post('/payments/:psp/refunds', async (c) => {
    const { amount, reference } = own(c, readRefund(await readJson(c)))
    const asked = { kind: 'refund', toldBy: 'REFUND', amountMinor: amount.value } as const
    return c.json({ ...modify(adyen, paymentIn(c), { ...asked, reference }), amount }, 201)
  })
  app.post('/payments/:psp/cancels', async (c) => {
    const { reference } = own(c, readCancel(await readJson(c)))
    const payment = paymentIn(c)
    const { amountMinor } = payment
    const asked = { kind: 'cancel', toldBy: 'CANCELLATION', amountMinor } as const
    return c.json(modify(adyen, payment, { ...asked, reference }), 201)
  })
  app.post('/payments/:psp/reversals', async (c) => {
    const { reference } = own(c, readCancel(await readJson(c)))
    const payment = paymentIn(c)
    const { amountMinor } = payment
    const asked = { kind: kindOfReversal(payment), toldBy: 'CANCEL_OR_REFUND' } as const
    return c.json(modify(adyen, payment, { ...asked, amountMinor, reference }), 201)
  })
  app.post('/cancels', async (c) =>
    c.json(cancelByReference(adyen, c.var.account, await readJson(c)), 201),
  )
  return app
}

/** Lets in whose key it is. */
function signIn(accounts: readonly AdyenAccount[]): MiddlewareHandler<Env> {
  return async (c, next) => {
    const sent = digestOf(c.req.header('X-API-Key') ?? '')
    const account = accounts.find(({ apiKey }) => isSecret(apiKey, sent))
    if (account === undefined) throw new ServiceError('unauthorized')
    c.set('account', account)
    await next()
  }
}

function isSecret(secret: Secret<string>, sent: Buffer): boolean {
  return timingSafeEqual(digestOf(secret.reveal()), sent)
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A key opens its own merchant account alone. */
function own<Sent extends { readonly merchantAccount: string }>(c: Context<Env>, sent: Sent): Sent {
  if (sent.merchantAccount !== c.var.account.merchantAccount)
    throw new ServiceError('merchant_account')
  return sent
}

function answerError(c: Context, { body, status, isTransient }: ServiceError) {
  if (isTransient) c.header('transient-error', 'true')
  return c.json(body, status)
}

async function readJson(c: Context<Env>): Promise<unknown> {
  try {
    return await c.req.json()
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new ServiceError('not_json')
  }
}
