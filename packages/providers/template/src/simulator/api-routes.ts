import {
  type Acquirer,
  type AcquirerConditions,
  disturb,
  showCard,
  sumOf,
} from '@cofre/provider-kit/simulator'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'
import type { Account, Book, Charge } from './book.js'

const chargeSchema = z.strictObject({
  reference: z.string().min(1),
  amountMinor: z.int().positive(),
  installments: z.int().min(1).max(12),
  card: z.strictObject({
    number: z.string().regex(/^\d{13,19}$/),
    month: z.string(),
    year: z.string(),
    cvv: z.string().optional(),
    holder: z.string(),
  }),
  document: z.string().optional(),
})
const refundSchema = z.strictObject({ reference: z.string(), amountMinor: z.int().positive() })

/** The brands' code for insufficient funds: amounts that end in 51 centavos have it. */
const NO_BALANCE = '51'

interface ApiDeps {
  /** By the store's code. */
  readonly accounts: ReadonlyMap<string, Account>
  readonly acquirer: Acquirer<AcquirerConditions>
  readonly book: Book
}

interface Env {
  Bindings: HttpBindings
  Variables: { account: Account }
}

export function createApiRoutes(deps: ApiDeps): Hono<Env> {
  const { accounts, acquirer } = deps
  const app = new Hono<Env>()
  app.use(disturb(acquirer))
  app.use('/:store/*', async (c, next) => {
    const account = accounts.get(c.req.param('store'))
    if (account === undefined || c.req.header('x-api-key') !== account.apiKey.reveal())
      return c.json({ error: 'wrong key' }, 401)
    c.set('account', account)
    await next()
    return undefined
  })
  app.route('/:store/charges', chargeRoutes(deps))
  app.route('/:store/charges/:reference/refunds', refundRoutes(deps))
  app.onError((_, c) => c.json({ error: 'failed' }, 500))
  return app
}

function chargeRoutes({ acquirer, book }: ApiDeps): Hono<Env> {
  const app = new Hono<Env>()
  app.post('/', async (c) => {
    const asked = chargeSchema.safeParse(await c.req.json())
    if (!asked.success) return c.json({ error: 'wrong request' }, 400)
    const { account } = c.var
    const known = book.find(account.store, asked.data.reference)
    if (known !== undefined) return c.json(known)
    const charge = chargeOf(book, account, asked.data)
    book.save(charge)
    announce(acquirer, account, charge)
    return c.json(charge, 201)
  })
  app.get('/:reference', (c) => {
    const charge = book.find(c.var.account.store, c.req.param('reference'))
    return charge === undefined ? c.json({ error: 'no such charge' }, 404) : c.json(charge)
  })
  return app
}

function refundRoutes({ acquirer, book }: ApiDeps): Hono<Env> {
  const app = new Hono<Env>()
  app.post('/', async (c) => {
    const { account } = c.var
    const charge = book.find(account.store, c.req.param('reference') ?? '')
    const asked = refundSchema.safeParse(await c.req.json())
    if (charge?.status !== 'approved' || !asked.success)
      return c.json({ error: 'wrong request' }, 400)
    if (charge.refunds.some(({ reference }) => reference === asked.data.reference))
      return c.json(charge)
    const refunds = [...charge.refunds, asked.data]
    if (sumOf(refunds) > charge.amountMinor)
      return c.json({ error: 'more than is left of the charge' }, 400)
    const changed = { ...charge, refunds }
    book.save(changed)
    announce(acquirer, account, changed)
    return c.json(changed, 201)
  })
  return app
}

function announce(acquirer: ApiDeps['acquirer'], { noticeUrl }: Account, charge: Charge): void {
  const { id, reference, status } = charge
  acquirer.notices.announce({ url: noticeUrl, event: status, reference, body: { chargeId: id } })
}

function chargeOf(
  book: Book,
  { store }: Account,
  { reference, amountMinor, installments, card }: z.output<typeof chargeSchema>,
): Charge {
  const isDeclined = String(amountMinor).endsWith(NO_BALANCE)
  const id = book.newId()
  return {
    id,
    store,
    reference,
    amountMinor,
    installments,
    ...(isDeclined ? { status: 'declined', code: NO_BALANCE } : { status: 'approved' }),
    authorizationCode: id.slice(0, 6),
    card: showCard({ ...card, expiry: `${card.month}/${card.year}` }),
    refunds: [],
  }
}
