import { holdsCardNumber } from '@cofre/contracts'

export const PERSON_NAME_LENGTH_MAX = 100

/** A person's name as it is kept; undefined for what is none, or holds a card number. */
export function personNameOf(text: string): string | undefined {
  const name = text.trim()
  const isName = name !== '' && name.length <= PERSON_NAME_LENGTH_MAX && !holdsCardNumber(name)
  return isName ? name : undefined
}
