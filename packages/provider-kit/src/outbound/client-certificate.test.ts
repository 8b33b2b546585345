import { execFileSync } from 'node:child_process'
import { X509Certificate, createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS, MINUTE_MS, Secret } from '@cofre/contracts'
import { afterAll, describe, expect, it } from 'vitest'
import { type TestCertificate, makeCertificate, makePkcs12 } from '../../test/certificates.js'
import { CertificateError } from './certificate-error.js'
import {
  type CertificateDemands,
  type CertificateSource,
  readClientCertificate,
} from './client-certificate.js'
import { needs } from '../../../../test/needs.js'

const nowMs = Date.now()
const root = makeCertificate({ name: 'Bank Root', kind: 'authority' })
const middle = makeCertificate({ name: 'Bank Clients', kind: 'authority', issuer: root })
const client = makeCertificate({ name: 'Loja Exemplo', kind: 'client', issuer: middle })
const other = makeCertificate({ name: 'Another Shop', kind: 'client', issuer: root })

const password = new Secret('sesame')
const bytes = (...texts: string[]): Buffer => Buffer.from(texts.join('\n'))
const pem = (...all: TestCertificate[]): string =>
  all.map(({ certificatePem }) => certificatePem).join('\n')

describe('a client certificate', () => {
  it('is read from PEM with its key, in any order', () => {
    const expected = new X509Certificate(client.certificatePem)
    for (const file of [
      bytes(pem(client, middle, root), client.keyPem),
      bytes(client.keyPem, pem(root, middle, client)),
    ]) {
      const read = readClientCertificate({ file }, { nowMs, chain: 'complete' })
      expect(read).toMatchObject({ subject: 'CN=Loja Exemplo', issuer: 'CN=Bank Clients' })
      expect(read.expiresAtMs).toBe(expected.validToDate.getTime())
      expect(read.certificatePem.match(/BEGIN CERTIFICATE/g)).toHaveLength(3)
      expect(new X509Certificate(read.certificatePem).fingerprint256).toBe(expected.fingerprint256)
    }
  })

  it('is read from PEM with a key in a file of its own, also a sealed one', () => {
    const file = bytes(pem(client))
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const sealed = (key = client.keyPem): CertificateSource => ({ file, keyFile: bytes(key) })
    expect(readClientCertificate(sealed(), { nowMs }).keyPem.reveal()).toBe(client.keyPem)
    const cipher = { cipher: 'aes-256-cbc', passphrase: 'sesame' }
    const text = privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }).toString()
    expect(problemOf({ ...sealed(text), password })).toBe('key_mismatch')
    expect(problemOf({ ...sealed(text), password: new Secret('no') })).toBe('password_wrong')
    expect(problemOf(sealed(text))).toBe('password_wrong')
  })

  it('is read from PKCS#12 sealed with 3DES, byte for byte', () => {
    const file = makePkcs12(client, 'sesame', [root, middle])
    const read = readClientCertificate({ file, password }, { nowMs })
    const certificates = read.certificatePem.split(/(?<=-----END CERTIFICATE-----\n)/)
    expect(certificates.map((one) => new X509Certificate(one).fingerprint256)).toEqual(
      [client, middle, root].map((one) => new X509Certificate(one.certificatePem).fingerprint256),
    )
    expect(read.keyPem.reveal()).toBe(client.keyPem)
  })

  it('is read by a password of which each byte was taken for a letter', () => {
    const word = 'ação'
    const file = makePkcs12(client, Buffer.from(word).toString('latin1'))
    const read = readClientCertificate({ file, password: new Secret(word) }, { nowMs })
    expect(read.keyPem.reveal()).toBe(client.keyPem)
  })

  it.each([
    ['ação', 'ação'.normalize('NFD')],
    ['ação'.normalize('NFD'), 'ação'],
  ])('is read from PEM whose key is sealed with %s, by %s', (passphrase, typed) => {
    const cipher = { cipher: 'aes-256-cbc', passphrase }
    const key = createPrivateKey(client.keyPem)
    const sealed = key.export({ type: 'pkcs8', format: 'pem', ...cipher }).toString()
    const source = { file: bytes(pem(client), sealed), password: new Secret(typed) }
    expect(readClientCertificate(source, { nowMs }).keyPem.reveal()).toBe(client.keyPem)
  })

  it('is read from PEM whose key is sealed in a Latin-1 terminal', () => {
    const cipher = { cipher: 'aes-256-cbc', passphrase: Buffer.from('ação', 'latin1') }
    const key = createPrivateKey(client.keyPem)
    const sealed = key.export({ type: 'pkcs8', format: 'pem', ...cipher }).toString()
    const source = { file: bytes(pem(client), sealed), password: new Secret('ação') }
    expect(readClientCertificate(source, { nowMs }).keyPem.reveal()).toBe(client.keyPem)
  })

  it('does not print its key', () => {
    const read = readClientCertificate({ file: bytes(pem(client), client.keyPem) }, { nowMs })
    expect(JSON.stringify(read)).not.toContain('PRIVATE KEY')
  })

  it('is accepted from the authorities that the provider has named', () => {
    const file = bytes(pem(client, middle), client.keyPem)
    for (const authority of [root, middle]) {
      const demands = { nowMs, authoritiesPem: pem(other, authority) }
      expect(readClientCertificate({ file }, demands).subject).toBe('CN=Loja Exemplo')
    }
  })
})

// With `-legacy`, OpenSSL writes banks' format: RC2 and 3DES.
describe('a PKCS#12 file that OpenSSL has written', needs('OpenSSL 3'), () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-p12-'))
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })
  const at = (name: string): string => path.join(folder, name)
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  }
  const exported = (own: TestCertificate, ...options: string[]): Buffer => {
    return exportedWith('sesame', own, ...options)
  }
  const exportedWith = (
    passphrase: string | Buffer,
    own: TestCertificate,
    ...options: string[]
  ): Buffer => {
    writeFileSync(at('passphrase'), passphrase)
    writeFileSync(at('own.pem'), own.certificatePem)
    writeFileSync(at('own-key.pem'), own.keyPem, { mode: 0o600 })
    writeFileSync(at('chain.pem'), pem(middle, root))
    const files = ['-in', 'own.pem', '-inkey', 'own-key.pem', '-certfile', 'chain.pem']
    const sealing = ['-passout', 'file:passphrase', '-iter', '64', ...options]
    openssl('pkcs12', '-export', '-out', 'out.p12', ...files, ...sealing)
    return readFileSync(at('out.p12'))
  }

  it.each([
    ['RC2 and 3DES, as banks do', ['-legacy']],
    ['AES, as OpenSSL 3 does', []],
    ['3DES alone', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1']],
    ['no cipher', ['-keypbe', 'NONE', '-certpbe', 'NONE']],
  ])('is read when sealed with %s', (_, options) => {
    const file = exported(client, ...options)
    const read = readClientCertificate({ file, password }, { nowMs, chain: 'complete' })
    expect(read.subject).toBe('CN=Loja Exemplo')
    expect(new X509Certificate(read.certificatePem).raw).toEqual(
      new X509Certificate(client.certificatePem).raw,
    )
  })

  it.each([
    ['AES', ['-keypbe', 'AES-256-CBC', '-certpbe', 'NONE', '-nomac']],
    ['3DES', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'NONE', '-nomac']],
    ['its MAC', ['-keypbe', 'NONE', '-certpbe', 'NONE']],
  ])('is refused where its password is hashed without end, by %s', (_, options) => {
    const file = exported(client, ...options, '-iter', '1000001')
    expect(() => readClientCertificate({ file, password }, { nowMs })).toThrow(
      /more than 1000000 times/,
    )
  })

  it('is refused, too, where the PEM of its key is', () => {
    writeFileSync(at('own-key.pem'), client.keyPem, { mode: 0o600 })
    const sealing = ['-passout', 'pass:sesame', '-iter', '1000001', '-out', 'sealed.pem']
    openssl('pkcs8', '-topk8', '-in', 'own-key.pem', ...sealing)
    const source = { file: bytes(pem(client)), keyFile: readFileSync(at('sealed.pem')), password }
    expect(() => readClientCertificate(source, { nowMs })).toThrow(/more than 1000000 times/)
  })

  const aesKey = ['-keypbe', 'AES-256-CBC']
  const oldCertificates = ['-certpbe', 'PBE-SHA1-3DES']
  const aesCertificates = ['-certpbe', 'AES-256-CBC']
  it.each([
    ['AES', []],
    ['RC2 and 3DES', ['-legacy']],
    ['AES for the key, 3DES for certificates', [...aesKey, ...oldCertificates]],
    ['3DES for the key, AES for certificates', ['-keypbe', 'PBE-SHA1-3DES', ...aesCertificates]],
  ])('is read by a password with letters beyond ASCII, sealed with %s', (_, options) => {
    for (const word of ['ação-é', 'Żółć 🔑']) {
      const file = exportedWith(word, client, ...options)
      for (const typed of [word, word.normalize('NFD')])
        expect(
          readClientCertificate({ file, password: new Secret(typed) }, { nowMs }).keyPem.reveal(),
        ).toBe(client.keyPem)
      const wrong = new Secret(`${word}s`)
      expect(() => readClientCertificate({ file, password: wrong }, { nowMs })).toThrow(
        'The password does not open the PKCS#12 file.',
      )
    }
  })

  it.each([
    ['AES', []],
    ['RC2 and 3DES', ['-legacy']],
  ])('is read with a password of decomposed accents, sealed with %s', (_, options) => {
    const file = exportedWith('ação'.normalize('NFD'), client, ...options)
    const typed = new Secret('ação')
    expect(readClientCertificate({ file, password: typed }, { nowMs }).subject).toMatch('Loja')
  })

  it.each([
    ['AES', []],
    ['RC2 and 3DES', ['-legacy']],
  ])('is read by a password that was in Latin-1, sealed with %s', (_, options) => {
    const file = exportedWith(Buffer.from('ação', 'latin1'), client, ...options)
    const typed = new Secret('ação')
    expect(readClientCertificate({ file, password: typed }, { nowMs }).subject).toMatch('Loja')
  })

  it('is read with an elliptic key', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    writeFileSync(at('root.pem'), root.certificatePem)
    writeFileSync(at('root-key.pem'), root.keyPem, { mode: 0o600 })
    writeFileSync(at('ec-key.pem'), keyPem, { mode: 0o600 })
    openssl('req', '-new', '-key', 'ec-key.pem', '-subj', '/CN=Loja Curva', '-out', 'ec.csr')
    const signer = ['-CA', 'root.pem', '-CAkey', 'root-key.pem', '-set_serial', '77']
    openssl('x509', '-req', '-in', 'ec.csr', ...signer, '-days', '30', '-out', 'ec.pem')
    const certificatePem = readFileSync(at('ec.pem'), 'utf8')
    const file = exported({ certificatePem, keyPem }, '-legacy')
    const read = readClientCertificate({ file, password }, { nowMs: nowMs + MINUTE_MS })
    expect(read.subject).toBe('CN=Loja Curva')
    expect(read.keyPem.reveal()).toBe(keyPem)
  })
})

function problemOf(source: CertificateSource, demands: Partial<CertificateDemands> = {}): string {
  try {
    readClientCertificate(source, { nowMs, ...demands })
    return 'none'
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    expect(error.message).not.toContain('sesame')
    expect(error.message).toMatch(/^[A-Z].*\.$/)
    return error.problem
  }
}

describe('a client certificate that cannot be used is refused by name', () => {
  const own = makeCertificate({ name: 'Self', kind: 'client' })
  const impostor = makeCertificate({ name: 'Bank Clients', kind: 'authority' })
  const weak = makeCertificate({ name: 'Weak', kind: 'client', issuer: root, rsaBits: 1024 })
  const from = (days: number): Date => new Date(nowMs + days * DAY_MS)
  const dated = (start: number, end: number): TestCertificate =>
    makeCertificate({
      name: 'Dated',
      kind: 'client',
      issuer: root,
      validFrom: from(start),
      validTo: from(end),
    })
  const withKey = (one: TestCertificate, ...others: TestCertificate[]): CertificateSource => ({
    file: bytes(pem(one, ...others), one.keyPem),
  })
  const p12 = makePkcs12(client, 'sesame')

  it.each<[string, CertificateSource, Partial<CertificateDemands>, string]>([
    ['a picture', { file: Buffer.from('\x89PNG\r\n\x1a\n') }, {}, 'unreadable'],
    ['an empty file', { file: Buffer.alloc(0) }, {}, 'unreadable'],
    ['a file that is too large', { file: Buffer.alloc(70_000) }, {}, 'too_large'],
    ['a PKCS#12 file that was cut', { file: p12.subarray(0, 900), password }, {}, 'unreadable'],
    ['a wrong password', { file: p12, password: new Secret('open') }, {}, 'password_wrong'],
    ['no password', { file: p12 }, {}, 'password_wrong'],
    ['a certificate without key', { file: bytes(pem(client)) }, {}, 'key_missing'],
    ['a key without certificate', { file: bytes(client.keyPem) }, {}, 'certificate_missing'],
    [
      'a damaged certificate',
      { file: bytes(pem(client).replace(/M/g, 'N'), client.keyPem) },
      {},
      'unreadable',
    ],
    [
      'a damaged key',
      { file: bytes(pem(client), client.keyPem.replace('\nMII', '\nXII')) },
      {},
      'unreadable',
    ],
    ['the key of another', { file: bytes(pem(client), other.keyPem) }, {}, 'key_mismatch'],
    ['an expired certificate', withKey(dated(-40, -1)), {}, 'expired'],
    ['a certificate of next week', withKey(dated(7, 40)), {}, 'not_yet_valid'],
    ['an issuer that did not sign', withKey(client, impostor), {}, 'chain_broken'],
    ['an expired issuer', withKey(...expiredChain()), {}, 'chain_broken'],
    [
      'a chain without its root',
      withKey(client, middle),
      { chain: 'complete' },
      'chain_incomplete',
    ],
    ['a self-signed certificate', withKey(own), {}, 'foreign'],
    [
      'one of another authority',
      withKey(client, middle),
      { authoritiesPem: pem(impostor, own) },
      'foreign',
    ],
    ['a key that is too small', withKey(weak), {}, 'refused_by_tls'],
  ])('%s', (_, source, demands, problem) => {
    expect(problemOf(source, demands)).toBe(problem)
  })

  function expiredChain(): [TestCertificate, TestCertificate] {
    const dates = { validFrom: from(-40), validTo: from(-1) }
    const issuer = makeCertificate({ name: 'Old', kind: 'authority', issuer: root, ...dates })
    return [makeCertificate({ name: 'Shop', kind: 'client', issuer }), issuer]
  }
})
