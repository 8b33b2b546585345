// Node opens no PKCS#12 file with RC2 or 3DES, which banks issue
// (ERR_CRYPTO_UNSUPPORTED_OPERATION). node-forge does.
import type { Secret } from '@cofre/contracts'
import forge from 'node-forge'
import { CertificateError } from './certificate-error.js'
import { openBy, passwordReadings } from './pkcs12-password.js'

/** The contents of a PKCS#12 file, each as DER. */
export interface Pkcs12Contents {
  readonly certificates: readonly Buffer[]
  /** PKCS#8. */
  readonly key: Buffer
}

/** @throws CertificateError */
export function readPkcs12(file: Uint8Array, password: Secret<string> | undefined): Pkcs12Contents {
  const structure = parse(file)
  const pfx = open(structure, password)
  const { certBag, keyBag, pkcs8ShroudedKeyBag } = forge.pki.oids
  const certificates = bagsOf(pfx, certBag).map(certificateOf)
  const [key] = [...bagsOf(pfx, pkcs8ShroudedKeyBag), ...bagsOf(pfx, keyBag)].map(keyOf)
  if (key === undefined)
    throw new CertificateError(
      'key_missing',
      'The PKCS#12 file holds no private key. Export it again, with the key.',
    )
  return { certificates, key }
}

function parse(file: Uint8Array): forge.asn1.Asn1 {
  try {
    return forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(file).toString('binary')))
  } catch {
    throw new CertificateError('unreadable', 'The file is neither PEM nor PKCS#12.')
  }
}

function open(
  structure: forge.asn1.Asn1,
  password: Secret<string> | undefined,
): forge.pkcs12.Pkcs12Pfx {
  const messages: string[] = []
  for (const reading of passwordReadings(password?.reveal())) {
    try {
      return openBy(reading, structure)
    } catch (error) {
      if (error instanceof CertificateError) throw error
      messages.push(error instanceof Error ? error.message : '')
    }
  }
  // If the MAC fits one encoding, the error is in the rest of the file.
  const message =
    messages.find((one) => !one.includes('MAC could not be verified')) ?? messages[0] ?? ''
  if (/MAC could not be verified|password|decrypt/i.test(message))
    throw new CertificateError('password_wrong', 'The password does not open the PKCS#12 file.')
  throw new CertificateError(
    'unreadable',
    'The PKCS#12 file is damaged, or sealed in a way that is not known. Export it as PEM.',
  )
}

function bagsOf(pfx: forge.pkcs12.Pkcs12Pfx, bagType: string | undefined): forge.pkcs12.Bag[] {
  return bagType === undefined ? [] : (pfx.getBags({ bagType })[bagType] ?? [])
}

/** node-forge parses only RSA, and leaves other structures unchanged for Node. */
function certificateOf(bag: forge.pkcs12.Bag): Buffer {
  return der(bag.cert ? forge.pki.certificateToAsn1(bag.cert) : bag.asn1)
}

function keyOf(bag: forge.pkcs12.Bag): Buffer {
  return der(bag.key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key)) : bag.asn1)
}

function der(structure: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(structure).getBytes(), 'binary')
}
