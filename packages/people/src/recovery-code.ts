import { randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { digestOf } from './digest.js'

const CODES_AT_ONCE = 10
/** Eighty bits: nobody finds one from its hash. Without letters that look like digits. */
const CODE_CHARACTERS = 16
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'

/** `ABCD-EFGH-JKMN-PQRS`, ten of them. */
export function drawRecoveryCodes(): readonly Secret<string>[] {
  return Array.from({ length: CODES_AT_ONCE }, () => {
    const characters = [...randomBytes(CODE_CHARACTERS)].map(
      (byte) => ALPHABET[byte % ALPHABET.length],
    )
    return new Secret(characters.join('').replace(/.{4}(?=.)/g, '$&-'))
  })
}

/** The same however somebody types it. */
export function hashRecoveryCode(personId: string, code: Secret<string>): string {
  const bare = code.reveal().replace(/[^\dA-Za-z]/g, '')
  return digestOf('recovery code', personId, bare.toUpperCase())
}
