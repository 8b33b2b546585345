import { randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { digestOf } from './digest.js'

const CODES_AT_ONCE = 10
/** Eighty bits, so a code cannot be found from its hash. Without letters that look like digits. */
const CODE_CHARACTERS = 16
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'

/** Ten codes such as `ABCD-EFGH-JKMN-PQRS`. */
export function drawRecoveryCodes(): readonly Secret<string>[] {
  return Array.from({ length: CODES_AT_ONCE }, () => {
    const characters = [...randomBytes(CODE_CHARACTERS)].map(
      (byte) => ALPHABET[byte % ALPHABET.length],
    )
    return new Secret(characters.join('').replace(/.{4}(?=.)/g, '$&-'))
  })
}

/** Ignores case and punctuation of the typed code. */
export function hashRecoveryCode(personId: string, code: Secret<string>): string {
  const bare = code.reveal().replace(/[^\dA-Za-z]/g, '')
  return digestOf('recovery code', personId, bare.toUpperCase())
}
