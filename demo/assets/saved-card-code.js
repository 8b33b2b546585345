// The security code of a saved card, in a frame of the vault: it never enters this page.
import { classOf, dataset, tokenInTime } from './card-library.js'
import { STYLE } from './hosted-card.js'

/** Only in a page with the vault's fields; elsewhere a saved card pays without its code. */
const place = document.getElementById('security-code')
let field

/** Asks for the code of a chosen saved card if the fields' script has loaded. */
export function showSecurityCode(isAsked) {
  if (place === null) return
  place.hidden = !isAsked
  const CardFields = classOf('CardFields')
  if (!isAsked || field !== undefined || CardFields === undefined) return
  const { storeId: store } = dataset
  field = new CardFields(place, { store, element: 'security-code', style: STYLE })
  field.on('submit', () => document.getElementById('checkout').requestSubmit())
}

/** The code's token; empty if the page does not ask for it. */
export async function securityCodeToken() {
  return field === undefined ? '' : await tokenInTime(field.getDirectToken())
}

export const focusSecurityCode = () => field?.focus()
