// A payment reduced to its minimal work: seven rows in four commits over two databases, behind a
// signature. The acquirer is this process, and approves at once.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { STORE } from '../../e2e/cofre-process.ts'
import { openStore } from './durable-store.mjs'

const SEALED_CARD = 'x'.repeat(280)

const GATEWAY = {
  name: 'gateway',
  tables: readFileSync(new URL('gateway.sql', import.meta.url), 'utf8'),
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

/** The unique index on its digest spends the token; until then the sealed card is stored. */
const VAULT = {
  name: 'vault',
  tables: readFileSync(new URL('vault.sql', import.meta.url), 'utf8'),
  statements: {
    beginAuthorization: 'insert into authorizations values (?, ?, ?, null, ?, ?)',
    endAuthorization: `update authorizations set outcome = ?, sealed_card = null
      where transaction_code = ?`,
    appendEntry: 'insert into audit_log values (?, ?, ?, ?, ?, ?)',
  },
}

/** A `POST /transactions` pays; a `GET /transactions/{code}` reads. */
export async function payments(place) {
  const gateway = await openStore(place, GATEWAY)
  const vault = await openStore(place, VAULT)
  let code = Date.now() * 1000
  return async (context) => {
    const authorization = context.req.header('authorization')
    if (context.req.method === 'GET') return await find(gateway, context, authorization)
    const bytes = Buffer.from(await context.req.arrayBuffer())
    if (!isSigned('/transactions', bytes, authorization)) return context.json({}, 401)
    const body = JSON.parse(bytes.toString())
    code += 1
    const { reference, status } = await pay({ gateway, vault }, { code, body, bytes })
    return context.json({ transaction: { code, reference, status } }, 201)
  }
}

async function pay({ gateway, vault }, { code, body: { transaction, charge, payer }, bytes }) {
  const [{ amount, 'payment-info': info }] = charge
  const { reference, 'notification-url': url } = transaction
  const at = Date.now()
  const digest = createHash('sha256').update(info.token).digest('base64url')
  const intent = [amount, payer.document.number, url, bytes.toString(), at, at + 120_000]
  await gateway.commit([
    ['claimReference', code, STORE.id, reference],
    ['insertIntent', code, STORE.id, reference, 'PENDING', ...intent],
  ])
  await vault.commit([['beginAuthorization', code, digest, amount, SEALED_CARD, at]])
  const entry = [at, `store:${STORE.id}`, 'card.authorized', String(code), 'approved']
  await vault.commit([
    ['endAuthorization', 'approved', code],
    ['appendEntry', `${at}-${randomUUID()}`, ...entry],
  ])
  await gateway.commit([
    ['endTransaction', 'COMPLETE', 'visa', '411111', '1111', at, code],
    ['insertNotification', code, url, 'COMPLETE', at],
  ])
  return { reference, status: 'COMPLETE' }
}

async function find(gateway, context, authorization) {
  const { pathname } = new URL(context.req.url)
  if (!isSigned(pathname, Buffer.alloc(0), authorization)) return context.json({}, 401)
  const code = Number(pathname.slice(pathname.lastIndexOf('/') + 1))
  const [found] = await gateway.read('findTransaction', code, STORE.id)
  if (found === undefined) return context.json({}, 404)
  const { request, ...transaction } = found
  const { payer, cart } = JSON.parse(request)
  return context.json({ transaction, payer, cart })
}

/** Checks a request's signature; without a body its digest is empty. */
function isSigned(target, body, authorization = '') {
  const hash = createHash('md5').update(body).digest('hex')
  const digest = body.length === 0 ? '' : Buffer.from(hash).toString('base64')
  const expected = createHmac('sha256', STORE.secret).update(`${target}${digest}`).digest()
  const given = Buffer.from(authorization.slice(authorization.indexOf(':') + 1), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
