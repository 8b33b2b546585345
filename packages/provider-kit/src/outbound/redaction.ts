import { type Secret, beginningOf, maskCardNumbers, plainTextOf } from '@cofre/contracts'

const EXCERPT_LENGTH_MAX = 200
/** Longer texts are cut first: the provider controls their length. */
const INPUT_LENGTH_MAX = 4096
const HIDDEN = '[hidden]'

/**
 * One short line of a provider's text for a log or an operator, without the given secrets and
 * without tokens, card numbers, CPF, CNPJ, phone numbers and e-mail addresses.
 */
export function redacted(text: string, secrets: readonly Secret<string>[] = []): string {
  const line = plainTextOf(beginningOf(text, INPUT_LENGTH_MAX), ' ').replace(/ {2,}/g, ' ').trim()
  const known = secrets
    .map((secret) => secret.reveal())
    .filter((value) => value.length > 0)
    .reduce((rest, value) => rest.replaceAll(value, HIDDEN), line)
  const bare = maskCardNumbers(known)
    .replace(/\b(?:bearer|basic) [\w+/=.~-]+/gi, HIDDEN)
    .replace(/"[^"]{1,64}"(?=[@＠﹫])/g, HIDDEN)
    .replace(/[^\s<>"':,;()[\]{}]+/g, (word) => (isRevealing(word) ? HIDDEN : word))
    // Documents and phone numbers, with or without punctuation; amounts and dates are shorter.
    .replace(/\+?\d[\d ()./-]{9,}\d/g, HIDDEN)
  return beginningOf(bare, EXCERPT_LENGTH_MAX)
}

const TOKEN_LENGTH_MIN = 20

/** True for an e-mail address, or letters with digits as long as a token or a secret. */
function isRevealing(word: string): boolean {
  if (/[@＠﹫]/.test(word)) return true
  return word.length >= TOKEN_LENGTH_MIN && /\d/.test(word) && /[A-Za-z]/.test(word)
}
