// A card becomes a token: the payment service's library, loaded from the vault.

const LIBRARY_MS_MAX = 10_000
const SESSION_MS_MAX = 5_000
const TOKEN_MS_MAX = 30_000

const { dataset } = document.getElementById('checkout')
let paymentMethod

/** The library's object; undefined while the library is not there. */
function openedMethod() {
  const library = window[dataset.libraryGlobal]
  if (typeof library?.PaymentMethod !== 'function') return undefined
  // A token that somebody steals from this page is of no use to another store.
  const options = { store: dataset.storeId, sessionTimeout: SESSION_MS_MAX }
  paymentMethod ??= new library.PaymentMethod(options)
  return paymentMethod
}

/** Loads the library again when it did not come with the page. */
async function loadLibrary() {
  const script = document.createElement('script')
  script.integrity = dataset.libraryIntegrity
  script.crossOrigin = 'anonymous'
  script.src = dataset.libraryUrl
  await new Promise((resolve) => {
    script.onload = script.onerror = resolve
    window.setTimeout(resolve, LIBRARY_MS_MAX)
    document.head.append(script)
  })
}

/**
 * The token of a card.
 * @throws Error whose `code` is one of the library's errors (specification, section 7.3)
 */
export async function directToken(card) {
  if (openedMethod() === undefined) await loadLibrary()
  const offline = Object.assign(new Error('no vault'), { code: 'session_network_error' })
  const method = openedMethod()
  if (method === undefined) throw offline
  return Promise.race([
    method.createDirectToken(card),
    new Promise((_, reject) => window.setTimeout(() => reject(offline), TOKEN_MS_MAX)),
  ])
}

/** The fields of a card that the library finds wrong: `number`, `cvv`, `month`, `year`. */
export const wrongFields = (card) => openedMethod()?.validate(card) ?? []

/** The brand of a card by its first digits; empty when it is not known. */
export const brandOf = (number) => openedMethod()?.brandOf(number) ?? ''
