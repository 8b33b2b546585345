// @ts-check
// A card becomes a token: the payment service's library, loaded from the vault.

/** @typedef {{ creditCard: string, cvv: string, expiration: { month: string, year: string } }} Card */
/** @typedef {'number' | 'cvv' | 'month' | 'year'} CardField */
/** @typedef {{ token: string } | { error: string }} TokenAnswer */
/**
 * @typedef {object} PaymentMethod
 * @property {(card: Card, callback: (error: unknown, token?: string) => void) => void} getDirectToken
 * @property {(card: Card) => readonly CardField[]} validate
 * @property {(number: string) => string | null} brandOf
 */

const LIBRARY_MS_MAX = 10_000
const TOKEN_MS_MAX = 30_000
const SESSION_RETRY_MS = 400
const SESSION_RETRIES_MAX = 3

/** @type {PaymentMethod | undefined} */
let paymentMethod
let globalName = ''
let libraryUrl = ''
let libraryIntegrity = ''
let storeId = ''

/**
 * Makes the library's object as soon as the library is there, and tells when.
 * @param {{ libraryGlobal?: string, libraryUrl?: string, libraryIntegrity?: string, storeId?: string }} library
 * @param {() => void} onReady
 */
export function openCardLibrary(library, onReady) {
  globalName = library.libraryGlobal ?? ''
  libraryUrl = library.libraryUrl ?? ''
  libraryIntegrity = library.libraryIntegrity ?? ''
  storeId = library.storeId ?? ''
  const ready = () => {
    paymentMethod ??= newPaymentMethod()
    if (paymentMethod !== undefined) onReady()
  }
  document.getElementById('card-library')?.addEventListener('load', ready)
  ready()
}

/** @returns {PaymentMethod | undefined} */
function newPaymentMethod() {
  const namespace = Reflect.get(window, globalName)
  if (typeof namespace?.PaymentMethod !== 'function') return undefined
  // A token that somebody steals from this page is of no use to another store.
  return new namespace.PaymentMethod({ store: storeId })
}

/** Asks for the library again when it did not come with the page. */
async function loadPaymentMethod() {
  paymentMethod ??= newPaymentMethod()
  if (paymentMethod !== undefined) return paymentMethod
  await new Promise((resolve) => {
    const script = document.createElement('script')
    script.integrity = libraryIntegrity
    script.crossOrigin = 'anonymous'
    script.src = libraryUrl
    script.onload = script.onerror = resolve
    window.setTimeout(resolve, LIBRARY_MS_MAX)
    document.head.append(script)
  })
  paymentMethod ??= newPaymentMethod()
  return paymentMethod
}

/**
 * The token of a card, or one of the library's errors (spec 7.3).
 * @param {Card} card
 * @returns {Promise<TokenAnswer>}
 */
export async function directToken(card) {
  const method = await loadPaymentMethod()
  if (method === undefined) return { error: 'session_network_error' }
  for (let attempt = 0; ; attempt++) {
    const answer = await askToken(method, card)
    const error = 'error' in answer ? answer.error : ''
    if (error !== 'session_creating_in_progress' || attempt >= SESSION_RETRIES_MAX) {
      // The next attempt of the customer starts with a session of its own.
      if (error.startsWith('session_')) paymentMethod = newPaymentMethod()
      return answer
    }
    await new Promise((resolve) => window.setTimeout(resolve, SESSION_RETRY_MS))
  }
}

/**
 * @param {PaymentMethod} method
 * @param {Card} card
 * @returns {Promise<TokenAnswer>}
 */
function askToken(method, card) {
  return new Promise((resolve) => {
    window.setTimeout(() => resolve({ error: 'session_network_error' }), TOKEN_MS_MAX)
    method.getDirectToken(card, (error, token) => {
      if (typeof token === 'string' && !error) resolve({ token })
      else resolve({ error: error instanceof Error ? error.message : String(error) })
    })
  })
}

/**
 * What the library finds wrong with a card; nothing when it cannot tell.
 * @param {Card} card
 */
export function judgeCard(card) {
  return paymentMethod?.validate(card) ?? []
}

/**
 * The brand of a card by its first digits; empty when it is not known.
 * @param {string} number
 */
export function brandOf(number) {
  return paymentMethod?.brandOf(number) ?? ''
}
