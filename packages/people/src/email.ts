import { holdsCardNumber } from '@cofre/contracts'
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u
const EMAIL_LENGTH_MAX = 254

/** As it is compared and kept. Undefined when it is none, and in no row. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= EMAIL_LENGTH_MAX && EMAIL.test(email) && !holdsCardNumber(email)
    ? email
    : undefined
}
