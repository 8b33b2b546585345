import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Secret } from '@cofre/contracts'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { disturb } from '@cofre/provider-kit/simulator'
import type { Adyen } from './adyen.js'
import type { AdyenAccount, Book, Payment } from './book.js'
import { completeChallenge } from './challenges.js'
import { type Ledger, saveAndNotify, notifyAuthorisation } from './events.js'
import { type IdempotencyEnv, createIdempotencyKeys } from './idempotency.js'
import { cancelByReference, findPayment, reversalOf, modify } from './modifications.js'
import { authorise, renderPayment } from './payments.js'
import { ServiceError } from './service-error.js'
import { readCancel, readCapture, readRefund } from './wire.js'

const BODY_BYTES_MAX = 256 * 1024

interface Env extends IdempotencyEnv {
  Bindings: HttpBindings
}

interface ApiParts {
  readonly adyen: Adyen
  /** The page's address; known once it listens. */
  readonly pageUrl: () => string
}

/** Checkout v72, for card payments. */
export function createApiRoutes({ adyen, pageUrl }: ApiParts): Hono<Env> {
  const { guard, replay } = createIdempotencyKeys(adyen.book)
  const app = new Hono<Env>()
  app.use(bodyLimit({ maxSize: BODY_BYTES_MAX }))
  app.use(signIn(adyen.book.accounts))
  app.use(guard)
  app.use(disturb(adyen))
  app.use(replay)
  app.route('/v72', paymentRoutes({ adyen, pageUrl }))
  app.notFound((c) => answerError(c, new ServiceError('not_found')))
  app.onError((error, c) =>
    answerError(c, error instanceof ServiceError ? error : new ServiceError('internal')),
  )
  return app
}

/** The effect of a call, and its answer. */
interface Done {
  readonly body: Readonly<Record<string, unknown>>
  /** The created or changed payment. */
  readonly payment?: Payment | undefined
}

function paymentRoutes({ adyen, pageUrl }: ApiParts): Hono<Env> {
  const { book, conditions, ledger } = adyen
  const app = new Hono<Env>()
  const post = (path: string, status: 200 | 201, work: (call: Call) => Done) =>
    app.post(path, async (c) => {
      const call = {
        account: c.var.account,
        psp: c.req.param('psp') ?? '',
        body: await readJson(c),
      }
      return answer(c, ledger, () => ({ status, ...work(call) }))
    })
  post('/payments', 200, ({ account, body }) => {
    const { links } = conditions
    const payment = authorise(book, account, { body, links })
    notifyAuthorisation(ledger, payment)
    return { body: renderPayment(account, payment, pageUrl()), payment }
  })
  post('/payments/details', 200, ({ account, body }) => {
    const payment = completeChallenge(ledger, account, body)
    return { body: renderPayment(account, payment, pageUrl()), payment }
  })
  post('/payments/:psp/captures', 201, (call) => {
    const { amount, reference } = own(call, readCapture(call.body))
    const asked = { kind: 'capture', toldBy: 'CAPTURE', amountMinor: amount.value } as const
    const { body, payment } = modify(adyen, paymentOf(book, call), { ...asked, reference })
    return { body: { ...body, amount }, payment }
  })
  post('/payments/:psp/refunds', 201, (call) => {
    const { amount, reference } = own(call, readRefund(call.body))
    const asked = { kind: 'refund', toldBy: 'REFUND', amountMinor: amount.value } as const
    const { body, payment } = modify(adyen, paymentOf(book, call), { ...asked, reference })
    return { body: { ...body, amount }, payment }
  })
  post('/payments/:psp/cancels', 201, (call) => {
    const { reference } = own(call, readCancel(call.body))
    const payment = paymentOf(book, call)
    const { amountMinor } = payment
    const asked = { kind: 'cancel', toldBy: 'CANCELLATION', amountMinor } as const
    return modify(adyen, payment, { ...asked, reference })
  })
  post('/payments/:psp/reversals', 201, (call) => {
    const { reference } = own(call, readCancel(call.body))
    const payment = paymentOf(book, call)
    const asked = { ...reversalOf(payment), toldBy: 'CANCEL_OR_REFUND' } as const
    return modify(adyen, payment, { ...asked, reference })
  })
  post('/cancels', 201, ({ account, body }) => cancelByReference(adyen, account, body))
  return app
}

/**
 * Carries a call out and answers it. The effect and the answer enter the books together, before
 * either is sent; nothing happens in between.
 */
function answer(c: Context<Env>, ledger: Ledger, work: () => Done & { status: 200 | 201 }) {
  const { body, status, payment } = orRefusal(work)
  const text = JSON.stringify(body)
  const { answerId: id } = c.var
  saveAndNotify(ledger, { payment, answer: id === undefined ? undefined : { id, status, text } })
  return c.body(text, status, { 'Content-Type': 'application/json' })
}

/** A refusal is stored like any other answer. */
function orRefusal(work: () => Done & { status: 200 | 201 }): Done & {
  status: ServiceError['status'] | 200 | 201
} {
  try {
    return work()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

interface Call {
  readonly account: AdyenAccount
  /** The pspReference in the path; empty if it has none. */
  readonly psp: string
  readonly body: unknown
}

function paymentOf(book: Book, { account, psp }: Call): Payment {
  return findPayment(book, account, psp)
}

/** A key gives access only to its own merchant account. */
function own<Sent extends { readonly merchantAccount: string }>(
  { account }: Call,
  sent: Sent,
): Sent {
  if (sent.merchantAccount !== account.merchantAccount) throw new ServiceError('merchant_account')
  return sent
}

/** Finds the account of the key. */
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
