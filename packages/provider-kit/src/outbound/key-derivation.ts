// A few bytes of a file set how often its password is hashed: two thousand million times take an
// hour. Programs use two thousand to a hundred thousand.
import forge from 'node-forge'
import { CertificateError } from './certificate-error.js'

/** The limit for all keys that a file derives from one encoding of its password. */
export const ITERATIONS_MAX = 1_000_000

/** Key derivation in node-forge, which its types lack. */
interface Derivations {
  readonly pkcs5: { pbkdf2: Derivation }
  readonly pkcs12: { generateKey: Derivation }
  readonly pbe: { generatePkcs12Key: Derivation }
}

type Derivation = (...args: readonly unknown[]) => unknown

/**
 * Runs work of node-forge with a limit on its total iterations.
 * @throws CertificateError `unreadable`, before the limit is exceeded
 */
export function withinIterations<T>(work: () => T): T {
  const { pkcs5, pkcs12, pbe } = forge as unknown as Derivations
  const original = {
    pbkdf2: pkcs5.pbkdf2,
    generateKey: pkcs12.generateKey,
    generatePkcs12Key: pbe.generatePkcs12Key,
  }
  let left = ITERATIONS_MAX
  const counted =
    (derive: Derivation, place: number): Derivation =>
    (...args) => {
      left -= Number(args[place])
      if (!(left >= 0)) throw tooMany()
      return derive(...args)
    }
  pkcs5.pbkdf2 = counted(original.pbkdf2, 2)
  pkcs12.generateKey = counted(original.generateKey, 3)
  pbe.generatePkcs12Key = counted(original.generatePkcs12Key, 3)
  try {
    return work()
  } finally {
    pkcs5.pbkdf2 = original.pbkdf2
    pkcs12.generateKey = original.generateKey
    pbe.generatePkcs12Key = original.generatePkcs12Key
  }
}

const ENCRYPTED_KEY =
  /-----BEGIN ENCRYPTED PRIVATE KEY-{5}(?<content>[A-Za-z0-9+/=\s]+)-----END ENCRYPTED/

/** @throws CertificateError `unreadable` for a PEM key that requires more iterations */
export function refuseEndlessKey(pem: string): void {
  const content = ENCRYPTED_KEY.exec(pem)?.groups?.content
  if (content === undefined) return
  const bytes = Buffer.from(content, 'base64').toString('latin1')
  if (numbersIn(structureOf(bytes)).some((number) => number > ITERATIONS_MAX)) throw tooMany()
}

/** Undefined if the text is not DER: Node reports the error. */
function structureOf(der: string): forge.asn1.Asn1 | undefined {
  try {
    return forge.asn1.fromDer(der)
  } catch {
    return undefined
  }
}

/** Numbers of an encrypted key: iterations or a cost, and key lengths. */
function numbersIn(structure: forge.asn1.Asn1 | undefined): readonly number[] {
  if (structure === undefined) return []
  const { type, value } = structure
  if (typeof value !== 'string') return value.flatMap((part) => numbersIn(part))
  return type === forge.asn1.Type.INTEGER
    ? [Number(`0x${Buffer.from(value, 'latin1').toString('hex')}`)]
    : []
}

function tooMany(): CertificateError {
  return new CertificateError(
    'unreadable',
    `The file hashes its password more than ${String(ITERATIONS_MAX)} times. Export it again with fewer iterations.`,
  )
}
