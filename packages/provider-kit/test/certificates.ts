import { type KeyObject, createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { DAY_MS } from '@cofre/contracts'
import forge from 'node-forge'

export interface TestCertificate {
  readonly certificatePem: string
  readonly keyPem: string
}

export interface CertificateSetup {
  readonly name: string
  /** Default: self-signed. */
  readonly issuer?: TestCertificate
  readonly kind: 'authority' | 'server' | 'client'
  /** Host names of a server; default: localhost and 127.0.0.1. */
  readonly dnsNames?: readonly string[]
  /** Default: from yesterday to a year from now. */
  readonly validFrom?: Date
  readonly validTo?: Date
  readonly key?: KeyObject
  readonly rsaBits?: number
}

let serial = 0

/** Makes a certificate with an RSA key. */
export function makeCertificate(setup: CertificateSetup): TestCertificate {
  const modulusLength = setup.rsaBits ?? 2048
  const key = setup.key ?? generateKeyPairSync('rsa', { modulusLength }).privateKey
  const keyPem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const certificate = forge.pki.createCertificate()
  const privateKey = forge.pki.privateKeyFromPem(keyPem)
  certificate.publicKey = forge.pki.setRsaPublicKey(privateKey.n, privateKey.e)
  certificate.serialNumber = (++serial).toString(16).padStart(4, '0')
  certificate.validity.notBefore = setup.validFrom ?? new Date(Date.now() - DAY_MS)
  certificate.validity.notAfter = setup.validTo ?? new Date(Date.now() + 365 * DAY_MS)
  const subject = [{ name: 'commonName', value: setup.name }]
  certificate.setSubject(subject)
  const signer =
    setup.issuer === undefined
      ? { subject, key: privateKey }
      : {
          subject: forge.pki.certificateFromPem(setup.issuer.certificatePem).subject.attributes,
          key: forge.pki.privateKeyFromPem(setup.issuer.keyPem),
        }
  certificate.setIssuer(signer.subject)
  certificate.setExtensions(extensionsOf(setup))
  certificate.sign(signer.key, forge.md.sha256.create())
  return { certificatePem: forge.pki.certificateToPem(certificate), keyPem }
}

function extensionsOf({ kind, dnsNames }: CertificateSetup): object[] {
  switch (kind) {
    case 'authority':
      return [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      ]
    case 'server':
      return [
        { name: 'basicConstraints', cA: false },
        { name: 'extKeyUsage', serverAuth: true },
        {
          name: 'subjectAltName',
          altNames: dnsNames?.map((value) => ({ type: 2, value })) ?? [
            { type: 2, value: 'localhost' },
            { type: 7, ip: '127.0.0.1' },
          ],
        },
      ]
    case 'client':
      return [
        { name: 'basicConstraints', cA: false },
        { name: 'extKeyUsage', clientAuth: true },
      ]
  }
}

/** A PKCS#12 file of a certificate, its key and more certificates. */
export function makePkcs12(
  own: TestCertificate,
  password: string,
  others: readonly TestCertificate[] = [],
): Buffer {
  const structure = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(
      createPrivateKey(own.keyPem).export({ type: 'pkcs1', format: 'pem' }).toString(),
    ),
    [own, ...others].map(({ certificatePem }) => forge.pki.certificateFromPem(certificatePem)),
    password,
    { algorithm: '3des' },
  )
  return Buffer.from(forge.asn1.toDer(structure).getBytes(), 'binary')
}
