// Requests as a browser and a shop make them, prepared before the clock runs.
import { CompactEncrypt, importJWK } from 'jose'
import { signRequest } from '../../packages/merchant/dist/request-signature.js'
import { ask, drive } from './load.mjs'
import PAYMENT from './payment.json' with { type: 'json' }
import { STORE } from './processes.mjs'
import { untilQuiet } from './quiet.mjs'

const PLAINTEXT_BYTES = 192
const CARD = JSON.stringify({ number: '4111111111111111', cvv: '737', month: '12', year: '2030' })
const TOKEN_CHARACTERS = 560
const AT_ONCE = 32

/** A direct token for a public key. */
export async function encryptFor(publicKey, kid) {
  const key = await importJWK(publicKey, 'ECDH-ES')
  return await new CompactEncrypt(new TextEncoder().encode(CARD.padEnd(PLAINTEXT_BYTES)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', ...(kid !== undefined && { kid }) })
    .encrypt(key)
}

/** So many tokens of a product's vault; deposited ones can be paid with. */
export async function makeTokens({ ports }, count, { deposited } = { deposited: true }) {
  const vaultUrl = `http://127.0.0.1:${ports.VAULT}`
  const tokens = []
  const work = async () => {
    while (tokens.length < count) {
      const index = tokens.push(undefined) - 1
      const session = await ask(`${vaultUrl}/sessions`, { method: 'POST' })
      const token = await encryptFor(session['public-key'], session.id)
      if (deposited) await ask(`${vaultUrl}/direct-tokens`, { method: 'POST', body: token })
      tokens[index] = token
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return tokens
}

/** So many payments to send, each with a token that is deposited already, as an iterator. */
export async function makePayments(product, count, notificationUrl) {
  const tokens = await makeTokens(product, count)
  // What the deposits have left to do is no part of a payment.
  await untilQuiet(product)
  return tokens.map((token) => paymentRequest(token, notificationUrl)).values()
}

/** Pays so often over so many connections; only the payments themselves are measured. */
export async function pay(product, { count, notificationUrl, ...load }) {
  const requests = await makePayments(product, count, notificationUrl)
  return await drive({ port: product.ports.API, requests, ...load })
}

const authorization = (target, body) => `${STORE.id}:${signRequest(STORE.secret, target, body)}`

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
  return signedPayment(payment(token, notificationUrl))
}

/** A signed `POST /transactions` of an order. */
export function signedPayment(order) {
  const body = JSON.stringify(order)
  return {
    method: 'POST',
    path: '/transactions',
    body,
    headers: {
      Accept: 'application/vnd.cofre.v2+json; charset=UTF-8',
      'Content-Type': 'application/json',
      Authorization: authorization('/transactions', body),
    },
  }
}

/**
 * So many payments of the same size for a bare program, as an iterator. Its tokens are no tokens,
 * but each is another one.
 */
export function barePayments(count) {
  const token = () => `bare-${orders}`.padEnd(TOKEN_CHARACTERS, 'x')
  return Array.from({ length: count }, () => paymentRequest(token())).values()
}

/** Pays once, and resolves to the transaction's code. */
export async function payOnce(product, notificationUrl) {
  const [{ path, ...request }] = await makePayments(product, 1, notificationUrl)
  const { transaction } = await ask(`http://127.0.0.1:${product.ports.API}${path}`, request)
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
  const { transaction, charge, payer, cart } = structuredClone(PAYMENT)
  transaction.reference = `bench-${process.pid}-${Date.now()}-${orders}`
  transaction['notification-url'] = notificationUrl
  charge[0]['payment-info'].token = token
  // Another payer each time: no shop sells ten thousand times to one.
  payer.document.number = cpf(orders)
  return { transaction, charge, payer, cart }
}
