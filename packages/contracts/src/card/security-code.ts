// A card's security code may be stored nowhere (PCI DSS 3.3.1.2), whatever field it is sent in.
import { withPlainDigits } from './card-numbers-in-text.js'

/** Names of security codes, anywhere in a field's name. */
const NAME =
  /ca?vv|cv[cn]|csc|secur\w{0,9}[-._ ]?code|seguran[cç]a|c[oó]digo[-_ ]?(?:de[-_ ]?)?segur|(?<![a-z\d])cid(?![a-z\d])/i
/** A security code in a text, after its name. */
const NAMED =
  /((?:ca?vv|cv[cn]|csc|secur\w{0,9}[-_ ]?code|c[oó]digo[-_ ]?(?:de[-_ ]?)?segur[\wç]{0,9})\d?(?:[-_ ]?token)?\W{0,8})\d{3,4}(?!\d)/gi
const STANDALONE_CODE = /(?<!\d)\d{3,4}(?!\d)/
const WHOLE = /^\s*\d{3,4}\s*$/
const MASK = '***'

const TOKEN_NAME = 'security-code-token'
/** The fields of requests that hold an encrypted card or security code. */
export const TOKEN_FIELDS: readonly string[] = ['token', TOKEN_NAME]

/** True if a name, or a text with names, contains the name of a security code. */
export function namesSecurityCode(text: string): boolean {
  return NAME.test(text)
}

/** Usual names of a security code, or of its token in another spelling. */
const WRONG_NAME = /^(?:cvv2?|cvc2?|csc|security[-_]?code(?:[-_]?token)?)$/i

/** True if `payment-info` has a security code in the clear, or its token by a wrong name. */
export function hasPlainSecurityCode(info: unknown): boolean {
  if (typeof info !== 'object' || info === null) return false
  return Object.entries(info).some(
    ([name, value]) =>
      name !== TOKEN_NAME &&
      (WRONG_NAME.test(name) || (namesSecurityCode(name) && isLikeSecurityCode(value))),
  )
}

/** True for three or four digits alone, as a security code has. */
export function isLikeSecurityCode(value: unknown): boolean {
  const isScalar = typeof value === 'string' || typeof value === 'number'
  return isScalar && WHOLE.test(withPlainDigits(String(value)))
}

/** True if a field of this name and text holds a security code. */
export function holdsSecurityCode(name: string, text: string): boolean {
  return namesSecurityCode(name) && STANDALONE_CODE.test(withPlainDigits(text))
}

/** A field's text without security codes: hidden if its name is that of one. */
export function maskSecurityCodes(name: string, text: string): string {
  if (holdsSecurityCode(name, text)) return MASK
  const plain = withPlainDigits(text)
  const masked = maskNamedSecurityCodes(plain, MASK)
  return masked === plain ? text : masked
}

/** A text without the security codes after their names. Its digits are plain ones. */
export function maskNamedSecurityCodes(plain: string, mask: string): string {
  return plain.replaceAll(NAMED, `$1${mask}`)
}
