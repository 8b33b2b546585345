import { brandOf, isAccepted } from '@cofre/contracts/card-brand'
import type { FieldState, FormField, FrameMessages } from '@cofre/contracts/field-messages'
import { wrongFields } from './card-input.js'
import type { CreditCard } from './credit-card.js'
import { digitsOf } from './digits.js'
import { readExpiry } from './typed-text.js'

/** Text of each input. */
export type TypedCard = Readonly<Record<FormField, string>>

const BIN_DIGITS = 6
const EXPIRY_DIGITS_MIN = 4
/** From this length on, a wrong digit is likelier than a longer number. */
const WHOLE_NUMBER_DIGITS = 16
const UNKNOWN_NUMBER_DIGITS_MAX = 19
const CVV_DIGITS = 3

export function cardOf({ number, expiry, cvv }: TypedCard): CreditCard {
  return { creditCard: digitsOf(number), cvv: digitsOf(cvv), expiration: readExpiry(expiry) }
}

/** True if the service recognises the number's brand only to refuse it. */
export function isRefusedBrand(number: string): boolean {
  const brand = brandOf(digitsOf(number))
  return brand !== undefined && !isAccepted(brand)
}

function mayGrow(digits: string): boolean {
  const { lengths = [UNKNOWN_NUMBER_DIGITS_MAX] } = brandOf(digits) ?? {}
  const isWhole = digits.length >= WHOLE_NUMBER_DIGITS && lengths.includes(digits.length)
  return !isWhole && digits.length < Math.max(...lengths)
}

/** State of each input. */
export function statesOf(card: TypedCard): Record<FormField, FieldState> {
  const wrong = wrongFields(cardOf(card))
  const number = digitsOf(card.number)
  const stateOf = (text: string, isRight: boolean, isUnfinished: boolean): FieldState => {
    if (text.trim() === '') return 'empty'
    if (isRight) return 'valid'
    return isUnfinished ? 'incomplete' : 'invalid'
  }
  const isRefused = isRefusedBrand(number)
  return {
    number: stateOf(
      card.number,
      !wrong.includes('number') && !isRefused,
      mayGrow(number) && !isRefused,
    ),
    expiry: stateOf(
      card.expiry,
      !wrong.includes('month') && !wrong.includes('year'),
      digitsOf(card.expiry).length < EXPIRY_DIGITS_MIN,
    ),
    cvv: stateOf(
      card.cvv,
      !wrong.includes('cvv'),
      digitsOf(card.cvv).length < (brandOf(number)?.cvvSize ?? CVV_DIGITS),
    ),
  }
}

/** The number's brand, and its BIN if the store may see it. */
export function shownOf(
  number: string,
  showsBin: boolean,
): Pick<FrameMessages['change'], 'brand' | 'bin'> {
  const digits = digitsOf(number)
  const hasBin = showsBin && digits.length >= BIN_DIGITS
  return {
    brand: brandOf(digits)?.name ?? null,
    bin: hasBin ? digits.slice(0, BIN_DIGITS) : null,
  }
}
