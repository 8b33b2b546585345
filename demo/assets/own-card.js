// The shop's own inputs: the payment service's library encrypts their values into a token.
import { classOf, dataset, ensureClass, tokenInTime } from './card-library.js'
import { digitsOf } from './typing.js'

const SESSION_MS_MAX = 5_000

const byId = (id) => document.getElementById(id)
let paymentMethod

/** The library's object; undefined until the library has loaded. */
function openedMethod() {
  const PaymentMethod = classOf('PaymentMethod')
  if (PaymentMethod === undefined) return undefined
  // A token stolen from this page is useless to another store.
  paymentMethod ??= new PaymentMethod({ store: dataset.storeId, sessionTimeout: SESSION_MS_MAX })
  return paymentMethod
}

function typedCard() {
  const [, month = '', year = ''] =
    /^\D*(\d{1,2})\D*(?:(\d+)\D*)?$/.exec(byId('card-expiry').value) ?? []
  return {
    creditCard: digitsOf(byId('card-number').value),
    cvv: digitsOf(byId('card-cvv').value),
    expiration: { month, year },
  }
}

function emptyFields({ creditCard: number, cvv, expiration }) {
  const fields = { number, cvv, ...expiration }
  return Object.keys(fields).filter((field) => fields[field] === '')
}

/** The checkout's interface to a card that is typed into the page. */
export const ownCard = {
  /** Resolves once the library can make tokens. */
  ready: () => ensureClass('PaymentMethod'),

  /** The brand by the first digits; empty if unknown. */
  brand: () => openedMethod()?.brandOf(byId('card-number').value) ?? '',

  /** Ids of the inputs that the library finds wrong; before it has loaded, of the empty ones. */
  wrongInputs() {
    const card = typedCard()
    const wrong = openedMethod()?.validate(card) ?? emptyFields(card)
    const isWrong = (...fields) => fields.some((field) => wrong.includes(field))
    return [
      isWrong('number') && 'card-number',
      isWrong('month', 'year') && 'card-expiry',
      isWrong('cvv') && 'card-cvv',
    ].filter(Boolean)
  },

  /**
   * The card's token and last four digits. Needs the library: see `ready`.
   * @throws Error whose `code` is one of the library's errors (specification, section 7.3)
   */
  async token() {
    const card = typedCard()
    const token = await tokenInTime(openedMethod().createDirectToken(card))
    return { token, lastFour: card.creditCard.slice(-4) }
  },
}
