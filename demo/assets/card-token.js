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

/**
 * Loads the library again when it did not come with the page.
 * @throws Error with the code of the library's error for a vault that is out of reach
 */
export async function ensureLibrary() {
  if (openedMethod() !== undefined) return
  const script = document.createElement('script')
  script.integrity = dataset.libraryIntegrity
  script.crossOrigin = 'anonymous'
  script.src = dataset.libraryUrl
  await new Promise((resolve) => {
    script.onload = script.onerror = resolve
    window.setTimeout(resolve, LIBRARY_MS_MAX)
    document.head.append(script)
  })
  if (openedMethod() === undefined) throw offlineError()
}

const offlineError = () => Object.assign(new Error('no vault'), { code: 'session_network_error' })

/**
 * The token of a card, once the library is there.
 * @throws Error whose `code` is one of the library's errors (specification, section 7.3)
 */
export async function directToken(card) {
  return Promise.race([
    openedMethod().createDirectToken(card),
    new Promise((_, reject) => window.setTimeout(() => reject(offlineError()), TOKEN_MS_MAX)),
  ])
}

/**
 * The fields of a card that the library finds wrong: `number`, `cvv`, `month`, `year`. While it is
 * not there, those that are empty.
 */
export const wrongFields = (card) => openedMethod()?.validate(card) ?? emptyFields(card)

function emptyFields({ creditCard: number, cvv, expiration }) {
  const fields = { number, cvv, ...expiration }
  return Object.keys(fields).filter((field) => fields[field] === '')
}

/** The brand of a card by its first digits; empty when it is not known. */
export const brandOf = (number) => openedMethod()?.brandOf(number) ?? ''
