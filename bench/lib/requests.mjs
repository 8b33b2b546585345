// Requests of a browser and a shop, prepared before the measurement starts.
import { generateCPF } from '@brazilian-utils/brazilian-utils'
import { CompactEncrypt, importJWK } from 'jose'
import { STORE } from '../../e2e/cofre-process.ts'
import { order } from '../../e2e/orders.ts'
import { signRequest } from '../../packages/merchant/dist/request-signature.js'
import { ask, drive, untilQuiet } from './load.mjs'

const CARD = JSON.stringify({ number: '4111111111111111', cvv: '737', month: '12', year: '2030' })

/** A direct token for a public key. */
export async function encryptFor(publicKey, kid) {
  const key = await importJWK(publicKey, 'ECDH-ES')
  return await new CompactEncrypt(new TextEncoder().encode(CARD.padEnd(192)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', ...(kid !== undefined && { kid }) })
    .encrypt(key)
}

/** Makes the given number of tokens for a product's vault; deposited ones can pay. */
export async function makeTokens({ ports }, count, { deposited } = { deposited: true }) {
  const vaultUrl = `http://127.0.0.1:${ports.vault}`
  const tokens = []
  const left = Array(count).keys()
  const work = async () => {
    for (const index of left) {
      const session = await ask(`${vaultUrl}/sessions`, { method: 'POST' })
      tokens[index] = await encryptFor(session['public-key'], session.id)
      const deposit = { method: 'POST', body: tokens[index] }
      if (deposited) await ask(`${vaultUrl}/direct-tokens`, deposit)
    }
  }
  await Promise.all(Array.from({ length: 32 }, work))
  return tokens
}

/** Deposits of tokens, each once: the vault refuses a second deposit. */
export function depositsOf(tokens, path) {
  return tokens.map((body) => ({ method: 'POST', path, body })).values()
}

/** Makes the given number of payments, each with a deposited token, as an iterator. */
export async function makePayments(product, count, notificationUrl) {
  const tokens = await makeTokens(product, count)
  // The deposits' remaining work is not part of a payment.
  await untilQuiet(product)
  return tokens.map((token) => signedPayment(payment({ token }, notificationUrl))).values()
}

/** Makes the given number of payments; measures only the payments themselves. */
export async function pay(product, { count, notificationUrl, ...load }) {
  const requests = await makePayments(product, count, notificationUrl)
  return await drive({ port: product.ports.api, requests, ...load })
}

/** Pays once, and resolves to the transaction's code. */
export async function payOnce(product, notificationUrl) {
  return await codeOf(product.ports.api, await makePayments(product, 1, notificationUrl))
}

/** Sends the first of some payments, and resolves to the transaction's code. */
export async function codeOf(port, [request]) {
  return (await ask(`http://127.0.0.1:${port}${request.path}`, request)).transaction.code
}

/** Payments of the same size for a bare program; its tokens are unique texts. */
export function barePayments(count) {
  const pay = () => signedPayment(payment({ token: `bare-${orders}`.padEnd(560, 'x') }))
  return Array.from({ length: count }, pay).values()
}

let orders = 0

/** The body of a `POST /transactions` by card, with a new payer each time, as in a real shop. */
export function payment(card, notificationUrl = 'https://shop.example/notifications') {
  const reference = `bench-${process.pid}-${Date.now()}-${++orders}`
  const charge = { amount: 1, currency: 'BRL', 'payment-method': { type: 'credit-card' } }
  const info = { 'payment-info': { installments: 1, ...card } }
  const { payer, ...purchase } = order({ reference, notificationUrl }, { ...charge, ...info })
  return { ...purchase, payer: { ...payer, document: { type: 'CPF', number: generateCPF() } } }
}

/** A signed `POST /transactions` of an order. */
export function signedPayment(order) {
  const body = JSON.stringify(order)
  return { method: 'POST', path: '/transactions', body, headers: headers(2, '/transactions', body) }
}

/** A signed search of the API. */
export function signedGet(path) {
  return { method: 'GET', path, headers: headers(1, path) }
}

function headers(version, target, body) {
  return {
    Accept: `application/vnd.cofre.v${version}+json; charset=UTF-8`,
    'Content-Type': 'application/json',
    Authorization: `${STORE.id}:${signRequest(STORE.secret, target, body)}`,
  }
}
