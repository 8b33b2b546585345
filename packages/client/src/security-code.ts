import { isSecurityCode } from '@cofre/contracts/card'
import { depositCard } from './deposit.js'
import { digitsOf } from './digits.js'
import { DirectTokenError } from './errors.js'
import type { PaymentMethod } from './payment-method.js'

/**
 * Encrypts the security code of a saved card, and deposits it in the vault. The token is for
 * `payment-info.security-code-token`, beside the saved card's `code`: for one charge, within 15
 * minutes. Not in the script tag, whose pages use the card fields.
 * @param paymentMethod - Its vault, and the only store that may use the token.
 * @param code - Three or four digits; a string if it can start with zero.
 * @throws DirectTokenError as `createDirectToken`; with the field `cvv` if the code is not valid
 */
export async function createSecurityCodeToken(
  paymentMethod: PaymentMethod,
  code: string | number,
): Promise<string> {
  const cvv = digitsOf(code)
  if (!isSecurityCode(cvv)) throw new DirectTokenError('creditcard_invalid_fields', ['cvv'])
  try {
    // oxlint-disable-next-line typescript/dot-notation -- private to pages, but not to the library
    return await depositCard(paymentMethod['deps'], { cvv })
  } catch (error) {
    throw error instanceof DirectTokenError
      ? error
      : new DirectTokenError('credit_card_internal_error')
  }
}
