const EMAIL = /^[^\s@]+@[^\s@]+$/
const EMAIL_LENGTH_MAX = 254

/** As it is compared and kept. Undefined when it is none. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= EMAIL_LENGTH_MAX && EMAIL.test(email) ? email : undefined
}
