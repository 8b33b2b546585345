// A payment reduced to what it cannot do without: seven rows in four commits over two databases,
// behind a signature and a schema. The acquirer is this process, and answers at once.
import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { openStore } from './durable-store.mjs'
import { isSigned } from './signed.mjs'

const MINUTE_MS = 60_000
const STORE = 'bench-store'

const GATEWAY = {
  name: 'gateway',
  tables: `
    create table transaction_keys (code bigint primary key, merchant_id text not null,
      reference text not null, unique (merchant_id, reference));
    create table transactions (code bigint primary key, merchant_id text not null,
      reference text not null, status text not null, amount bigint not null,
      payer_document text not null, notification_url text not null, brand text, bin text,
      last_four text, request text not null, created_at bigint not null,
      next_ask_at bigint, paid_at bigint);
    create index open_transactions on transactions (next_ask_at) where next_ask_at is not null;
    create table notifications (transaction_code bigint primary key, url text not null,
      status text not null, next_attempt_at bigint, done_at bigint);
    create index due_notifications on notifications (next_attempt_at) where done_at is null`,
  statements: {
    claimReference: 'insert into transaction_keys values (?, ?, ?)',
    insertIntent: `insert into transactions (code, merchant_id, reference, status, amount,
      payer_document, notification_url, request, created_at, next_ask_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    endTransaction: `update transactions set status = ?, brand = ?, bin = ?, last_four = ?,
      paid_at = ?, next_ask_at = null where code = ? and next_ask_at is not null`,
    insertNotification: 'insert into notifications values (?, ?, ?, ?, null)',
    findTransaction: 'select * from transactions where code = ? and merchant_id = ?',
  },
}

/** The token is spent by the unique index on its digest, until then the sealed card is kept. */
const VAULT = {
  name: 'vault',
  tables: `
    create table authorizations (transaction_code bigint primary key, digest text not null unique,
      amount bigint not null, outcome text, sealed_card text, created_at bigint not null);
    create table audit_log (id text primary key, at bigint not null, actor text not null,
      action text not null, record text not null, outcome text not null)`,
  statements: {
    beginAuthorization: 'insert into authorizations values (?, ?, ?, null, ?, ?)',
    endAuthorization: `update authorizations set outcome = ?, sealed_card = null
      where transaction_code = ?`,
    appendEntry: 'insert into audit_log values (?, ?, ?, ?, ?, ?)',
  },
}

/** The shape of a payment's body. */
const bodySchema = z.object({
  transaction: z.object({
    reference: z.string().max(64),
    country: z.literal('BR'),
    currency: z.literal('BRL'),
    'checkout-type': z.literal('direct'),
    'notification-url': z.string().max(200),
    language: z.string(),
  }),
  charge: z
    .array(
      z.object({
        amount: z.number(),
        'payment-method': z.object({ type: z.string() }),
        'payment-info': z.object({ installments: z.number(), token: z.string() }),
      }),
    )
    .length(1),
  payer: z.object({
    name: z.string(),
    email: z.string(),
    'birth-date': z.string(),
    'phone-number': z.string(),
    document: z.object({ type: z.string(), number: z.string() }),
    address: z.record(z.string(), z.string()),
  }),
  cart: z.array(
    z.object({
      quantity: z.number(),
      description: z.string(),
      'unit-price': z.number(),
      type: z.string(),
    }),
  ),
})

/** A `POST /transactions` pays; a `GET /transactions/{code}` reads. */
export async function payments(place) {
  const gateway = await openStore(place, GATEWAY)
  const vault = await openStore(place, VAULT)
  let code = Date.now() * 1000
  return async (context) => {
    const authorization = context.req.header('authorization')
    if (context.req.method === 'GET') return await find(gateway, context, authorization)
    const text = Buffer.from(await context.req.arrayBuffer())
    if (!isSigned('/transactions', text, authorization)) return context.json({}, 401)
    const body = bodySchema.parse(JSON.parse(text.toString()))
    code += 1
    const { reference, status } = await pay({ gateway, vault }, { code, body, text })
    return context.json({ transaction: { code, reference, status } }, 201)
  }
}

async function pay({ gateway, vault }, { code, body: { transaction, charge, payer }, text }) {
  const [{ amount, 'payment-info': info }] = charge
  const { reference, 'notification-url': url } = transaction
  const at = Date.now()
  const digest = createHash('sha256').update(info.token).digest('base64url')
  const intent = [amount, payer.document.number, url, text.toString(), at, at + 2 * MINUTE_MS]
  await gateway.commit([
    ['claimReference', code, STORE, reference],
    ['insertIntent', code, STORE, reference, 'PENDING', ...intent],
  ])
  await vault.commit([['beginAuthorization', code, digest, amount, SEALED_CARD, at]])
  const { outcome, brand, bin, lastFour } = acquirer()
  const entry = [at, `store:${STORE}`, 'card.authorized', String(code), outcome]
  await vault.commit([
    ['endAuthorization', outcome, code],
    ['appendEntry', `${at}-${randomUUID()}`, ...entry],
  ])
  const status = outcome === 'approved' ? 'COMPLETE' : 'NOT-PAID'
  await gateway.commit([
    ['endTransaction', status, brand, bin, lastFour, at, code],
    ['insertNotification', code, url, status, at],
  ])
  return { reference, status }
}

const SEALED_CARD = 'x'.repeat(280)

function acquirer() {
  return { outcome: 'approved', brand: 'visa', bin: '411111', lastFour: '1111' }
}

async function find(gateway, context, authorization) {
  const { pathname } = new URL(context.req.url)
  if (!isSigned(pathname, Buffer.alloc(0), authorization)) return context.json({}, 401)
  const code = Number(pathname.slice(pathname.lastIndexOf('/') + 1))
  const [found] = await gateway.read('findTransaction', code, STORE)
  if (found === undefined) return context.json({}, 404)
  const { request, ...transaction } = found
  const { payer, cart } = JSON.parse(request)
  return context.json({ transaction, payer, cart })
}
