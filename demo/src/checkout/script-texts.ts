import type { Messages } from '../language/messages.js'
import { BRAND_NAMES } from '../order/card-summary.js'

/** The texts that the checkout script shows; it finds them in the form's `data-texts`. */
export function scriptTexts({ checkout }: Messages) {
  return {
    brands: BRAND_NAMES,
    errors: { ...checkout.fieldErrors, ...checkout.cardErrors },
    libraryErrors: checkout.libraryErrors,
    paying: checkout.paying,
    encrypting: checkout.encrypting,
  }
}
