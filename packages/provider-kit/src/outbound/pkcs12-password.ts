// A password beyond ASCII has several encodings. The older ciphers and the MAC of PKCS#12 use a
// BMPString (RFC 7292, B.1), PBES2 uses UTF-8 (RFC 8018, 3). node-forge uses UTF-16 units for both,
// and programs have used encodings of their own.
import forge from 'node-forge'
import { withinIterations } from './key-derivation.js'

/** One encoding of a file's password. */
export interface PasswordReading {
  /** For the MAC and the older ciphers; undefined for no password. */
  readonly text: string | undefined
  /** For PBES2: one character per byte. */
  readonly bytes: string | undefined
}

const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** The encodings that programs use, the standard's first. */
export function passwordReadings(password: string | undefined): readonly PasswordReading[] {
  // A file without a password is sealed with an empty one or with none: two different keys.
  const none = { text: undefined, bytes: undefined }
  if (password === undefined) return [{ text: '', bytes: '' }, none]
  const readings = new Map<string, PasswordReading>()
  for (const text of spellingsOf(password))
    for (const reading of [
      { text, bytes: utf8(text) },
      // OpenSSL in a Latin-1 terminal.
      { text, bytes: text },
      // OpenSSL before 1.1 treated each byte as a character.
      { text: utf8(text), bytes: utf8(text) },
    ])
      readings.set(JSON.stringify(reading), reading)
  return [...readings.values()]
}

/** The Unicode forms of a password: a letter and its accent are one character, or two. */
export function spellingsOf(password: string): readonly string[] {
  return [...new Set([password, password.normalize('NFC'), password.normalize('NFD')])]
}

/** Functions of node-forge that its types lack. */
interface Pbe {
  getCipherForPBES2: (oid: string, params: unknown, password: string | undefined) => unknown
}

/**
 * Opens a file with one encoding of its password.
 * @throws CertificateError, Error of node-forge
 */
export function openBy(
  { text, bytes }: PasswordReading,
  structure: forge.asn1.Asn1,
): forge.pkcs12.Pkcs12Pfx {
  const { pbe } = forge.pki as typeof forge.pki & { readonly pbe: Pbe }
  const original = pbe.getCipherForPBES2
  // A file may use both encodings, but the library accepts one password for the whole file.
  pbe.getCipherForPBES2 = (oid, params) => original(oid, params, bytes)
  try {
    return withinIterations(() => forge.pkcs12.pkcs12FromAsn1(structure, true, text))
  } finally {
    pbe.getCipherForPBES2 = original
  }
}
