import { Secret, asciiSpelling } from '@cofre/contracts'
import type { AuthorizeRequest } from './acquirer.js'

/** Secrets of a request that an answer might repeat. */
export function secretsOf({
  card,
  threeDSecure,
}: Pick<AuthorizeRequest, 'card'> &
  Partial<Pick<AuthorizeRequest, 'threeDSecure'>>): readonly Secret<string>[] {
  const { number, cvv } = card.reveal()
  const texts = [number, cvv].filter((text) => text !== undefined)
  const secrets = texts.map((text) => new Secret(text))
  return threeDSecure === undefined ? secrets : [...secrets, threeDSecure.cavv]
}

/** Latin letters without accents, digits and spaces, as card networks accept names. */
export function plainLetters(text: string, lengthMax: number): string {
  return asciiSpelling(text)
    .replace(/[^A-Za-z0-9 ]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, lengthMax)
    .trim()
}
