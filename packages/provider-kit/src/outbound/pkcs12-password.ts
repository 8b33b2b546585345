// A password beyond ASCII is bytes in more than one way. The older ciphers and the MAC of PKCS#12
// take it as a BMPString (RFC 7292, B.1), PBES2 as UTF-8 (RFC 8018, 3). node-forge gives both the
// units of UTF-16, and programs have written files by their own ideas.
import forge from 'node-forge'
import { withinIterations } from './key-derivation.js'

/** One way to read a file's password. */
export interface PasswordReading {
  /** What the MAC and the older ciphers are given; undefined for none at all. */
  readonly text: string | undefined
  /** What PBES2 is given: a character for each byte. */
  readonly bytes: string | undefined
}

const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** The ways in which programs seal files with a password, the standard's first. */
export function passwordReadings(password: string | undefined): readonly PasswordReading[] {
  // Without a password a file is sealed with an empty one or with none: two different keys.
  const none = { text: undefined, bytes: undefined }
  if (password === undefined) return [{ text: '', bytes: '' }, none]
  const readings = new Map<string, PasswordReading>()
  for (const text of spellingsOf(password))
    for (const reading of [
      { text, bytes: utf8(text) },
      // OpenSSL where the terminal was in Latin-1.
      { text, bytes: text },
      // OpenSSL before 1.1 took each byte for a letter.
      { text: utf8(text), bytes: utf8(text) },
    ])
      readings.set(JSON.stringify(reading), reading)
  return [...readings.values()]
}

/** A letter and its accent are one character, or two. */
export function spellingsOf(password: string): readonly string[] {
  return [...new Set([password, password.normalize('NFC'), password.normalize('NFD')])]
}

/** What node-forge has and its types have not. */
interface Pbe {
  getCipherForPBES2: (oid: string, params: unknown, password: string | undefined) => unknown
}

/** Opens a file by one reading of its password. @throws CertificateError, Error of node-forge */
export function openBy(
  { text, bytes }: PasswordReading,
  structure: forge.asn1.Asn1,
): forge.pkcs12.Pkcs12Pfx {
  const { pbe } = forge.pki as typeof forge.pki & { readonly pbe: Pbe }
  const original = pbe.getCipherForPBES2
  // A file may use both ways, and the library takes one password for all of it.
  pbe.getCipherForPBES2 = (oid, params) => original(oid, params, bytes)
  try {
    return withinIterations(() => forge.pkcs12.pkcs12FromAsn1(structure, true, text))
  } finally {
    pbe.getCipherForPBES2 = original
  }
}
