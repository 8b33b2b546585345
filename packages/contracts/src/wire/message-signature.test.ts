import { createHmac, createPublicKey, hash, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  contentDigestOf,
  readSignature,
  sha256Of,
  signatureBase,
  signatureParameters,
  signedComponents,
} from './message-signature.js'

// RFC 9421, appendix B.2: the request, the keys and the signatures.
const RFC_FIELDS = {
  '@method': 'POST',
  '@path': '/foo',
  '@authority': 'example.com',
  date: 'Tue, 20 Apr 2021 02:07:55 GMT',
  'content-type': 'application/json',
  'content-length': '18',
}
const RFC_SECRET =
  'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=='
const RFC_ED25519 = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=
-----END PUBLIC KEY-----`

const rfcBase = (names: readonly (keyof typeof RFC_FIELDS)[], parameters: string) =>
  signatureBase(
    names.map((name) => [name, RFC_FIELDS[name]]),
    parameters,
  )

describe('the base of a signature', () => {
  it('is that of RFC 9421, B.2.5 (HMAC-SHA256)', () => {
    const parameters =
      '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"'
    const base = rfcBase(['date', '@authority', 'content-type'], parameters)
    const hmac = createHmac('sha256', Buffer.from(RFC_SECRET, 'base64')).update(base)
    expect(hmac.digest('base64')).toBe('pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=')
  })

  it('is that of RFC 9421, B.2.6 (Ed25519)', () => {
    const parameters =
      '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"'
    const names = ['date', '@method', '@path', '@authority', 'content-type', 'content-length']
    const base = rfcBase(names as (keyof typeof RFC_FIELDS)[], parameters)
    const signature =
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
    const key = createPublicKey(RFC_ED25519)
    expect(verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64'))).toBe(true)
  })
})

describe('the digest of a body', () => {
  // RFC 9530, appendices B.1 and D; RFC 9421, appendix B.2.
  it.each([
    ['{"hello": "world"}\n', 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:'],
    ['{"hello": "world"}', 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'],
  ])('of %j is %s', (body, header) => {
    const sha256 = hash('sha256', body, 'base64')
    expect(contentDigestOf(sha256)).toBe(header)
    expect(sha256Of(header)).toBe(sha256)
    expect(sha256Of(`sha-512=:AAAA:, ${header}`)).toBe(sha256)
  })

  it.each(['', 'sha-256', 'sha-256=', 'sha-256=::', 'sha-256=:AAAA:', 'sha-512=:AAAA:'])(
    'is not in %j',
    (header) => {
      expect(sha256Of(header)).toBeUndefined()
    },
  )

  it('is not one of two', () => {
    const header = contentDigestOf(hash('sha256', 'x', 'base64'))
    expect(sha256Of(`${header}, ${header}`)).toBeUndefined()
  })
})

const COVERED = signedComponents({
  method: 'POST',
  targetUri: 'https://api.shop.example/transactions',
  contentDigest: 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
  idempotencyKey: 'order-1',
})
const FACTS = { createdSeconds: 1_790_000_000, keyid: 'store-1', nonce: 'AAAAAAAAAAAAAAAAAAAAAA' }
const PARAMETERS = signatureParameters(COVERED, FACTS)
const SIGNATURE = `cofre=:${'A'.repeat(43)}=:`

describe('the parameters of a signature', () => {
  it('name the covered components, the time, the store and the nonce', () => {
    expect(PARAMETERS).toBe(
      '("@method" "@target-uri" "content-digest" "idempotency-key");created=1790000000;keyid="store-1";nonce="AAAAAAAAAAAAAAAAAAAAAA";alg="hmac-sha256"',
    )
    const search = signedComponents({ method: 'GET', targetUri: 'https://api.shop.example/card' })
    expect(signatureParameters(search, { ...FACTS, nonce: undefined })).toBe(
      '("@method" "@target-uri");created=1790000000;keyid="store-1";alg="hmac-sha256"',
    )
  })

  it('are read as they were written, in any order', () => {
    const read = {
      ...FACTS,
      components: '("@method" "@target-uri" "content-digest" "idempotency-key")',
      signatureBase64: `${'A'.repeat(43)}=`,
    }
    expect(readSignature(`cofre=${PARAMETERS}`, SIGNATURE)).toEqual({
      ...read,
      parameters: PARAMETERS,
    })
    const other =
      '("@method" "@target-uri" "content-digest" "idempotency-key");alg="hmac-sha256";nonce="AAAAAAAAAAAAAAAAAAAAAA";keyid="store-1";created=1790000000'
    expect(readSignature(`cofre=${other}`, SIGNATURE)).toEqual({ ...read, parameters: other })
  })

  it('are ours alone, whatever else is signed on the way', () => {
    const others = 'proxy=("@method" "x;cofre=");tag="a, cofre=\\"b"'
    const read = readSignature(`${others}, cofre=${PARAMETERS}`, `proxy=:AAAA:,${SIGNATURE}`)
    expect(read?.parameters).toBe(PARAMETERS)
  })

  const bare = '("@method");created=1;keyid="s";alg="hmac-sha256"'
  it.each<[string, string, string?]>([
    ['no signature input', ''],
    ['no signature', `cofre=${bare}`, ''],
    ['a signature of another length', `cofre=${bare}`, 'cofre=:AAAA:'],
    ['a signature that is no bytes', `cofre=${bare}`, `cofre="${'A'.repeat(44)}"`],
    ['two of our label', `cofre=${bare}, cofre=${bare}`],
    ['two signatures of our label', `cofre=${bare}`, `${SIGNATURE}, ${SIGNATURE}`],
    ['another label', `sig1=${bare}`, `sig1=:${'A'.repeat(43)}=:`],
    ['no list', 'cofre=1;created=1;keyid="s";alg="hmac-sha256"'],
    ['no time', 'cofre=("@method");keyid="s";alg="hmac-sha256"'],
    ['no store', 'cofre=("@method");created=1;alg="hmac-sha256"'],
    ['no algorithm', 'cofre=("@method");created=1;keyid="s"'],
    ['another algorithm', `cofre=${bare.replace('hmac-sha256', 'ed25519')}`],
    ['a time twice', `cofre=${bare};created=2`],
    ['a store twice', `cofre=${bare};keyid="t"`],
    ['a time that is a text', `cofre=${bare.replace('=1', '="1"')}`],
    ['a time with a fraction', `cofre=${bare.replace('=1', '=1.5')}`],
    ['a time before 1970', `cofre=${bare.replace('=1', '=-1')}`],
    ['a store that is a number', `cofre=${bare.replace('"s"', '1')}`],
    ['a parameter that we do not know', `cofre=${bare};expires=2`],
    ['a short nonce', `cofre=${bare};nonce="A"`],
    ['a nonce that is a number', `cofre=${bare};nonce=1234567890`],
    ['a text that does not end', `proxy=("x);y, cofre=${bare}`],
    ['another spelling', `cofre=${bare.replace(';', '; ')}`],
  ])('are refused with %s', (_, signatureInput, signature = SIGNATURE) => {
    expect(readSignature(signatureInput, signature)).toBeUndefined()
  })
})
