// The certificate authority of the simulated banks. Only callers that get its certificate trust it.
import { generateKeyPair } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { type Clock, DAY_MS, HOUR_MS, Secret } from '@cofre/contracts'
import forge from 'node-forge'

/** Randomness, as a dependency: `randomBytes` of node:crypto. */
export type RandomBytes = (size: number) => Uint8Array

export interface AuthorityDeps {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
}

/** A certificate with its key, both as PEM. */
export interface Credential {
  readonly certificate: string
  readonly privateKey: Secret<string>
}

/** The owner of a certificate. */
export interface Subject {
  readonly name: string
  readonly role: 'client' | 'server'
  /** Host names and addresses of a server. */
  readonly hosts?: readonly string[]
  /** Relative to now; negative for an expired certificate. */
  readonly lifetimeMs?: number
}

export interface Authority {
  readonly credential: Credential
  issue(subject: Subject): Promise<Credential>
}

const LIFETIME_MS = 10 * 365 * DAY_MS
/** Clocks differ: a certificate is valid from a little before its issue. */
const EARLIER_MS = HOUR_MS
const KEY_BITS = 2048
const SERIAL_BYTES = 16
const DNS_NAME = 2
const IP_ADDRESS = 7

const newKeyPair = promisify(generateKeyPair)

/** A new authority, with a key of its own. */
export async function createAuthority(deps: AuthorityDeps): Promise<Authority> {
  const keys = await createKeys()
  const attributes = [{ name: 'commonName', value: 'Cofre simulators: no real bank' }]
  const certificate = blankCertificate(deps, { keys, attributes, lifetimeMs: LIFETIME_MS })
  certificate.setIssuer(attributes)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(keys.privateKey), forge.md.sha256.create())
  return restoreAuthority(deps, credentialOf(certificate, keys))
}

/** The authority that a certificate and its key make. */
export function restoreAuthority(deps: AuthorityDeps, credential: Credential): Authority {
  const issuer = forge.pki.certificateFromPem(credential.certificate)
  const issuerKey = forge.pki.privateKeyFromPem(credential.privateKey.reveal())
  const keyIdentifier = issuer.generateSubjectKeyIdentifier().getBytes()
  return {
    credential,
    async issue({ name, role, hosts = [], lifetimeMs = LIFETIME_MS }) {
      const keys = await createKeys()
      const attributes = [{ name: 'commonName', value: name }]
      const certificate = blankCertificate(deps, { keys, attributes, lifetimeMs })
      certificate.setIssuer(issuer.subject.attributes)
      certificate.setExtensions([
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
        { name: 'extKeyUsage', serverAuth: role === 'server', clientAuth: role === 'client' },
        { name: 'subjectKeyIdentifier' },
        { name: 'authorityKeyIdentifier', keyIdentifier },
        ...(hosts.length === 0 ? [] : [{ name: 'subjectAltName', altNames: hosts.map(nameOf) }]),
      ])
      certificate.sign(issuerKey, forge.md.sha256.create())
      return credentialOf(certificate, keys)
    },
  }
}

interface Keys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Node generates keys far faster than the library. */
function createKeys(): Promise<Keys> {
  return newKeyPair('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

interface Draft {
  readonly keys: Keys
  readonly attributes: forge.pki.CertificateField[]
  readonly lifetimeMs: number
}

function blankCertificate(
  { clock, randomBytes }: AuthorityDeps,
  { keys, attributes, lifetimeMs }: Draft,
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey)
  // Positive, and without a leading zero, which OpenSSL refuses.
  certificate.serialNumber = `01${Buffer.from(randomBytes(SERIAL_BYTES)).toString('hex')}`
  const end = clock.now() + lifetimeMs
  certificate.validity.notBefore = new Date(Math.min(clock.now(), end) - EARLIER_MS)
  certificate.validity.notAfter = new Date(end)
  certificate.setSubject(attributes)
  return certificate
}

function nameOf(host: string) {
  return isIP(host) === 0 ? { type: DNS_NAME, value: host } : { type: IP_ADDRESS, ip: host }
}

function credentialOf(certificate: forge.pki.Certificate, keys: Keys): Credential {
  return {
    certificate: forge.pki.certificateToPem(certificate),
    privateKey: new Secret(keys.privateKey),
  }
}
