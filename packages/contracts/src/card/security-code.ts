// A card's security code may be stored nowhere (PCI DSS 3.3.1.2), whatever field it is sent in.
import { withPlainDigits } from './card-numbers-in-text.js'

/** Names of security codes, anywhere in a field's name. */
const NAME = /ca?vv|cv[cn]|csc|secur\w{0,9}[._-]?code|seguranca|(?:^|[._-])cid(?:$|[._-])/i
/** A security code in a text, after its name. */
const NAMED =
  /((?:ca?vv|cv[cn]|csc|secur\w{0,9}[-_ ]?code|codigo[-_ ]?(?:de[-_ ]?)?segur\w{0,9})\d?\W{0,8})\d{3,4}(?!\d)/gi
const ALONE = /(?<!\d)\d{3,4}(?!\d)/
const MASK = '***'

/** True if a text may contain the name of a security code. */
export function mayNameSecurityCode(text: string): boolean {
  return /cav|cv|csc|cid|secur|segur/i.test(text)
}

/** True if a field of this name and text holds a security code. */
export function holdsSecurityCode(name: string, text: string): boolean {
  return NAME.test(name) && ALONE.test(withPlainDigits(text))
}

/** A field's text without security codes: hidden if its name is that of one. */
export function maskSecurityCodes(name: string, text: string): string {
  if (holdsSecurityCode(name, text)) return MASK
  const plain = withPlainDigits(text)
  const masked = plain.replaceAll(NAMED, `$1${MASK}`)
  return masked === plain ? text : masked
}
