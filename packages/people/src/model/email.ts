import { holdsCardNumber } from '@cofre/contracts'
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u
const EMAIL_LENGTH_MAX = 254

/** The e-mail in its stored and compared form. Undefined for an invalid one. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= EMAIL_LENGTH_MAX && EMAIL.test(email) && !holdsCardNumber(email)
    ? email
    : undefined
}
