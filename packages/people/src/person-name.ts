import { holdsCardNumber } from '@cofre/contracts'

export const PERSON_NAME_LENGTH_MAX = 100

/** What a person sees of a name. */
const SEEN = /[^\p{C}\p{M}\p{Z}]/u

/** A person's name on one line; undefined for what is none, is not seen, or holds a card number. */
export function personNameOf(text: string): string | undefined {
  const name = text.replaceAll(/\p{Cc}+/gu, ' ').trim()
  const isName = SEEN.test(name) && name.length <= PERSON_NAME_LENGTH_MAX && !holdsCardNumber(name)
  return isName ? name : undefined
}
