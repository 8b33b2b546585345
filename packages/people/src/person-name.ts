import { holdsCardNumber, isPlainText } from '@cofre/contracts'

export const PERSON_NAME_LENGTH_MAX = 100

/** What a person sees of a name. */
const SEEN = /[^\p{C}\p{M}\p{Z}]/u

/** A person's name on one line; undefined for what is none, is not seen, or holds a card number. */
export function personNameOf(text: string): string | undefined {
  const name = text.replaceAll(/\p{Cc}+/gu, ' ').trim()
  const isSeen = SEEN.test(name) && isPlainText(name)
  return isSeen && name.length <= PERSON_NAME_LENGTH_MAX && !holdsCardNumber(name)
    ? name
    : undefined
}
