// Requests as a browser and a shop make them, prepared before the clock runs.
import { createHash, createHmac } from 'node:crypto'
import { CompactEncrypt, importJWK } from 'jose'
import { ask } from './load.mjs'
import { STORE } from './processes.mjs'

const PLAINTEXT_BYTES = 192
const CARD = JSON.stringify({ number: '4111111111111111', cvv: '737', month: '12', year: '2030' })
const AT_ONCE = 32

/** Opens a session and encrypts a card for it; the token is not deposited yet. */
async function makeToken(vaultUrl) {
  const session = await ask(`${vaultUrl}/sessions`, { method: 'POST' })
  return await encryptFor(session['public-key'], session.id)
}

/** A direct token for a public key. */
export async function encryptFor(publicKey, kid) {
  const key = await importJWK(publicKey, 'ECDH-ES')
  return await new CompactEncrypt(new TextEncoder().encode(CARD.padEnd(PLAINTEXT_BYTES)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', ...(kid !== undefined && { kid }) })
    .encrypt(key)
}

/** So many tokens; deposited ones can be paid with. */
export async function makeTokens(vaultUrl, count, { deposited }) {
  return await manyOf(count, async () => {
    const token = await makeToken(vaultUrl)
    if (deposited) await ask(`${vaultUrl}/direct-tokens`, { method: 'POST', body: token })
    return token
  })
}

/** The results of so many calls, some at a time. */
export async function manyOf(count, make) {
  const results = []
  const work = async () => {
    while (results.length < count) {
      const index = results.push(undefined) - 1
      results[index] = await make(index)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

function authorization(target, body) {
  const digest =
    body === undefined
      ? ''
      : Buffer.from(createHash('md5').update(body).digest('hex')).toString('base64')
  const hmac = createHmac('sha256', STORE.secret)
    .update(target + digest)
    .digest('hex')
  return `${STORE.id}:${hmac}`
}

let orders = 0

/** A valid CPF for each number. */
function cpf(n) {
  const digits = String(100_000_000 + n)
    .split('')
    .map(Number)
  for (const length of [9, 10]) {
    const sum = digits.reduce((total, digit, i) => total + digit * (length + 1 - i), 0)
    digits.push(((sum * 10) % 11) % 10)
  }
  return digits.join('')
}

/** A signed `POST /transactions` of 100 BRL with a direct token. */
export function paymentRequest(token, notificationUrl = 'https://shop.example/notifications') {
  const body = JSON.stringify(payment(token, notificationUrl))
  return {
    method: 'POST',
    path: '/transactions',
    body,
    headers: {
      Accept: 'application/vnd.cofre.v2+json; charset=UTF-8',
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Authorization: authorization('/transactions', body),
    },
  }
}

/** Pays once, and resolves to the transaction's code. */
export async function payOnce({ ports }, notificationUrl) {
  const vaultUrl = `http://127.0.0.1:${ports.VAULT}`
  const [token] = await makeTokens(vaultUrl, 1, { deposited: true })
  const { path, ...request } = paymentRequest(token, notificationUrl)
  const { transaction } = await ask(`http://127.0.0.1:${ports.API}${path}`, request)
  return transaction.code
}

/** A signed search of the API. */
export function signedGet(path) {
  return {
    method: 'GET',
    path,
    headers: {
      Accept: 'application/vnd.cofre.v1+json; charset=UTF-8',
      'Accept-Language': 'pt-BR',
      'Content-Type': 'application/json',
      Authorization: authorization(path),
    },
  }
}

/** The body of a `POST /transactions` of another payer each time. */
export function payment(token, notificationUrl) {
  orders += 1
  const address = {
    street: 'Rua XV de Novembro',
    number: '1000',
    district: 'Centro',
    state: 'PR',
    city: 'Curitiba',
    country: 'BR',
    'zip-code': '80020310',
  }
  return {
    transaction: {
      reference: `bench-${process.pid}-${Date.now()}-${orders}`,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': notificationUrl,
      language: 'pt-BR',
    },
    charge: [
      {
        amount: 100,
        'payment-method': { type: 'credit-card' },
        'payment-info': { installments: 1, token },
      },
    ],
    payer: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      'birth-date': '1990-01-31',
      'phone-number': '+5541988887777',
      // Another payer each time: no shop sells ten thousand times to one.
      document: { type: 'CPF', number: cpf(orders) },
      address,
    },
    cart: [{ quantity: 2, description: 'Café', 'unit-price': 50, type: 'digital' }],
  }
}
