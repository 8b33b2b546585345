const NAMES: ReadonlyMap<string, string> = new Map([
  ['amex', 'American Express'],
  ['diners', 'Diners Club'],
  ['jcb', 'JCB'],
  ['pagseguro', 'PagSeguro'],
  ['paypal', 'PayPal'],
])

/**
 * The brand name of a card or wallet: `Visa`, `PayPal`; else the identifier with a capital letter.
 */
export function properName(id: string): string {
  return NAMES.get(id) ?? id.charAt(0).toUpperCase() + id.slice(1)
}
