const NAMES: ReadonlyMap<string, string> = new Map([
  ['amex', 'American Express'],
  ['diners', 'Diners Club'],
  ['jcb', 'JCB'],
  ['pagseguro', 'PagSeguro'],
  ['paypal', 'PayPal'],
])

/** What a card's brand or a wallet calls itself: `Visa`, `PayPal`; of others, their identifier. */
export function properName(id: string): string {
  return NAMES.get(id) ?? id.charAt(0).toUpperCase() + id.slice(1)
}
