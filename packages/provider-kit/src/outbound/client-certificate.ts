import { type KeyObject, X509Certificate, createHash, createPrivateKey } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Secret } from '@cofre/contracts'
import { CertificateError } from './certificate-error.js'
import { refuseEndlessKey } from './key-derivation.js'
import { spellingsOf } from './pkcs12-password.js'
import { readPkcs12 } from './pkcs12.js'

/** A verified client certificate with its key, as PEM. */
export interface ClientCertificate {
  /** The certificate, then the issuers from its file, in order. */
  readonly certificatePem: string
  /** PKCS#8, not encrypted. */
  readonly keyPem: Secret<string>
  readonly subject: string
  readonly issuer: string
  readonly expiresAtMs: number
  /** SHA-256, as a certificate-bound token names it (RFC 8705: `x5t#S256`). */
  readonly thumbprint: string
}

export interface CertificateSource {
  /** A PKCS#12 file, or PEM with certificate and key in any order. */
  readonly file: Uint8Array
  /** PEM of the key, if it has a file of its own. */
  readonly keyFile?: Uint8Array
  readonly password?: Secret<string>
}

export interface CertificateDemands {
  readonly nowMs: number
  /** Banco do Brasil requires every issuer up to the root. */
  readonly chain?: 'complete'
  /** PEM of the authorities that the provider accepts, if known. */
  readonly authoritiesPem?: string
}

const FILE_BYTES_MAX = 64 * 1024
const ISSUERS_MAX = 8
const BEGIN = '-----BEGIN CERTIFICATE-----'
const END = '-----END CERTIFICATE-----'
const PEM_KEY = /-----BEGIN (?:RSA |EC |ENCRYPTED )?PRIVATE KEY-----/

/**
 * Reads a client certificate and checks that it is usable.
 * @throws CertificateError
 */
export function readClientCertificate(
  source: CertificateSource,
  demands: CertificateDemands,
): ClientCertificate {
  const { certificates, key } = read(source)
  const own = certificates.find((certificate) => certificate.checkPrivateKey(key))
  if (own === undefined)
    throw new CertificateError(
      'key_mismatch',
      'The private key does not belong to any certificate in the file. Use the key that the certificate was made for.',
    )
  checkValidity(own, demands.nowMs)
  const chain = chainOf(own, certificates, demands.nowMs)
  checkIssuer(chain, demands)
  const certificatePem = chain.map((certificate) => certificate.toString()).join('')
  const keyPem = new Secret(key.export({ type: 'pkcs8', format: 'pem' }).toString())
  checkByTls(certificatePem, keyPem)
  return {
    certificatePem,
    keyPem,
    subject: oneLine(own.subject),
    issuer: oneLine(own.issuer),
    expiresAtMs: own.validToDate.getTime(),
    thumbprint: createHash('sha256').update(own.raw).digest('base64url'),
  }
}

/** A distinguished name as one line. */
function oneLine(name: string): string {
  return name.trim().replaceAll('\n', ', ')
}

interface Contents {
  readonly certificates: readonly X509Certificate[]
  readonly key: KeyObject
}

function read({ file, keyFile, password }: CertificateSource): Contents {
  if (file.length > FILE_BYTES_MAX || (keyFile?.length ?? 0) > FILE_BYTES_MAX)
    throw new CertificateError('too_large', 'The file is larger than 64 KB: it is no certificate.')
  const text = Buffer.from(file).toString('latin1')
  if (!text.includes('-----BEGIN ')) {
    const found = readPkcs12(file, password)
    return {
      certificates: parsed(found.certificates),
      key: privateKey(found.key, undefined),
    }
  }
  const keyText = keyFile === undefined ? text : Buffer.from(keyFile).toString('latin1')
  const keyAt = keyText.search(PEM_KEY)
  const certificates = parsed(pemCertificates(text))
  if (keyAt < 0)
    throw new CertificateError(
      'key_missing',
      'There is no private key. Add the file that holds it.',
    )
  return { certificates, key: privateKey(keyText.slice(keyAt), password) }
}

function pemCertificates(text: string): string[] {
  const [, ...found] = text.split(BEGIN)
  return found.map((rest) => `${BEGIN}${rest.split(END)[0] ?? ''}${END}`)
}

function parsed(found: readonly (string | Buffer)[]): X509Certificate[] {
  if (found.length === 0)
    throw new CertificateError('certificate_missing', 'There is no certificate in the file.')
  try {
    return found.map((certificate) => new X509Certificate(certificate))
  } catch (cause) {
    throw new CertificateError('unreadable', 'The certificate in the file is damaged.', { cause })
  }
}

/** @throws CertificateError without the library's message, which could contain part of the key */
function privateKey(key: string | Buffer, password: Secret<string> | undefined): KeyObject {
  const isEncrypted = typeof key === 'string' && key.includes('ENCRYPTED')
  if (isEncrypted) refuseEndlessKey(key)
  const passphrases = spellingsOf(password?.reveal() ?? '').flatMap((text) => [
    text,
    // OpenSSL's bytes in a Latin-1 terminal.
    Buffer.from(text, 'latin1'),
  ])
  for (const passphrase of passphrases) {
    try {
      return typeof key === 'string'
        ? createPrivateKey({ key, format: 'pem', passphrase })
        : createPrivateKey({ key, format: 'der', type: 'pkcs8' })
    } catch {
      // Another encoding may open it.
    }
  }
  if (isEncrypted)
    throw new CertificateError('password_wrong', 'The password does not open the private key.')
  throw new CertificateError('unreadable', 'The private key in the file is damaged.')
}

function checkValidity(certificate: X509Certificate, nowMs: number): void {
  const { validFromDate, validToDate } = certificate
  if (validToDate.getTime() <= nowMs)
    throw new CertificateError(
      'expired',
      `The certificate expired on ${utcDateText(validToDate)}. Ask the bank for a new one.`,
    )
  if (validFromDate.getTime() > nowMs)
    throw new CertificateError(
      'not_yet_valid',
      `The certificate is valid from ${utcDateText(validFromDate)}. Check this machine's clock, or wait.`,
    )
}

function utcDateText(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** The certificate and its issuers in the file, each signature verified. */
function chainOf(
  own: X509Certificate,
  certificates: readonly X509Certificate[],
  nowMs: number,
): X509Certificate[] {
  const chain = [own]
  let last = own
  while (!isSelfSigned(last) && chain.length <= ISSUERS_MAX) {
    const named = certificates.filter((one) => one.subject === last.issuer && !chain.includes(one))
    const issuer = named.find((one) => isIssuedBy(last, one))
    if (issuer === undefined) {
      if (named.length === 0) return chain
      throw new CertificateError(
        'chain_broken',
        `The file holds an issuer "${oneLine(last.issuer)}" that did not sign the certificate. Ask the bank for the right chain.`,
      )
    }
    if (issuer.validToDate.getTime() <= nowMs)
      throw new CertificateError(
        'chain_broken',
        `The issuer "${oneLine(issuer.subject)}" in the file expired on ${utcDateText(issuer.validToDate)}.`,
      )
    chain.push(issuer)
    last = issuer
  }
  return chain
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.subject === certificate.issuer && isIssuedBy(certificate, certificate)
}

function checkIssuer(
  chain: readonly X509Certificate[],
  { authoritiesPem, chain: demand }: CertificateDemands,
): void {
  const [own] = chain
  const last = chain.at(-1)
  if (own === undefined || last === undefined) return
  // The central bank's security manual excludes self-signed certificates.
  if (isSelfSigned(own))
    throw new CertificateError(
      'foreign',
      'The certificate is self-signed. Use the one that the bank, or an authority that it accepts, has issued.',
    )
  if (demand === 'complete' && !isSelfSigned(last))
    throw new CertificateError(
      'chain_incomplete',
      `The file ends at "${oneLine(last.subject)}". This bank wants the certificate with every issuer up to the root.`,
    )
  if (authoritiesPem === undefined) return
  const authorities = parsed(pemCertificates(authoritiesPem))
  const isKnown = authorities.some(
    (one) => last.fingerprint256 === one.fingerprint256 || isIssuedBy(last, one),
  )
  if (!isKnown)
    throw new CertificateError(
      'foreign',
      `The certificate was issued by "${oneLine(own.issuer)}", which this provider does not accept.`,
    )
}

/** Refuses too small keys and too weak signatures here, instead of at each call. */
function checkByTls(certificatePem: string, keyPem: Secret<string>): void {
  try {
    createSecureContext({ cert: certificatePem, key: keyPem.reveal() })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
    throw new CertificateError(
      'refused_by_tls',
      `TLS refuses the certificate or its key (${code}).`,
    )
  }
}
