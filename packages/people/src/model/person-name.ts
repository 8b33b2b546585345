import { holdsCardNumber, isPlainText } from '@cofre/contracts'

export const PERSON_NAME_LENGTH_MAX = 100

/** A visible character of a name. */
const SEEN = /[^\p{C}\p{M}\p{Z}]/u

/** A person's name on one line; undefined if it is empty, invisible, or contains a card number. */
export function personNameOf(text: string): string | undefined {
  const name = text.replaceAll(/\p{Cc}+/gu, ' ').trim()
  const isSeen = SEEN.test(name) && isPlainText(name)
  return isSeen && name.length <= PERSON_NAME_LENGTH_MAX && !holdsCardNumber(name)
    ? name
    : undefined
}
