/**
 * The form in which payers are compared: an e-mail in lower case, a document without punctuation.
 */
export function comparedPayer(payer: string): string {
  const text = payer.trim()
  return text.includes('@') ? text.toLowerCase() : text.replaceAll(/[./-]/g, '').toUpperCase()
}
