import { type CardDetails, wrongCardFields } from '@cofre/contracts/card'
import { digitsOf } from './digits.js'
import { type CardField, DirectTokenError } from './errors.js'
import { nowMs } from './page-clock.js'

const isText = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** Number, CVV, month and year. */
function properties(card: unknown): unknown[] {
  const { creditCard, cvv, expiration } = Object(card) as Readonly<Record<string, unknown>>
  const { month, year } = Object(expiration) as Readonly<Record<string, unknown>>
  return [creditCard, cvv, month, year]
}

function cardDetails(card: unknown): CardDetails {
  const [number, cvv, month, year] = properties(card)
  return {
    number: digitsOf(number),
    cvv: digitsOf(cvv),
    month: digitsOf(month).padStart(2, '0'),
    year: digitsOf(year).replace(/^\d\d$/, '20$&'),
  }
}

/** All the fields that are missing or wrong. */
export function wrongFields(card: unknown): CardField[] {
  return wrongCardFields(cardDetails(card), nowMs())
}

/** @throws DirectTokenError with a code `creditcard_…` */
export function readCard(card: unknown): CardDetails {
  if (Object(card) !== card) throw new DirectTokenError('creditcard_object_malformed')
  if (!properties(card).every(isText)) throw new DirectTokenError('creditcard_invalid_object')
  const wrong = wrongFields(card)
  if (wrong.length > 0) throw new DirectTokenError('creditcard_invalid_fields', wrong)
  return cardDetails(card)
}
