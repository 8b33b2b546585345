import type { DirectTokenPayload, SessionAnswer } from '@cofre/contracts/direct-token'
import fc from 'fast-check'
import {
  CompactEncrypt,
  base64url,
  compactDecrypt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
} from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { concatKdf } from '../test/concat-kdf.js'
import { agreeOnKey, encryptDirectToken } from './direct-token-jwe.js'

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength, maxLength })

const payloads = fc.record(
  {
    number: digits(13, 19),
    cvv: digits(3, 4),
    month: digits(2, 2),
    year: digits(4, 4),
    store: fc.string({ unit: fc.constantFrom(...'abcXYZ019-_'.split('')), maxLength: 100 }),
  },
  { requiredKeys: ['number', 'cvv', 'month', 'year'] },
)
const CARD = { number: '4111111111111111', cvv: '123', month: '12', year: '2040' }

let session: SessionAnswer
let publicKey: CryptoKey
let privateKey: CryptoKey

beforeAll(async () => {
  const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256' })
  const { x = '', y = '' } = await exportJWK(pair.publicKey)
  ;({ privateKey, publicKey } = pair)
  session = {
    id: 'a-session',
    'public-key': { kty: 'EC', crv: 'P-256', x, y },
    'expires-in': 900,
  }
})

const tokenOf = async (payload: DirectTokenPayload): Promise<string> =>
  encryptDirectToken(payload, await agreeOnKey(session))

/** Opens a token by RFC 7516 5.2 and RFC 7518 4.6, with its own key derivation. */
async function openByTheLetter(token: string): Promise<unknown> {
  const [header = '', , iv = '', ciphertext = '', tag = ''] = token.split('.')
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  const { epk } = decodeProtectedHeader(token)
  const theirKey = await crypto.subtle.importKey('jwk', epk as JsonWebKey, curve, false, [])
  const secret = await crypto.subtle.deriveBits({ ...curve, public: theirKey }, privateKey, 256)
  const bits = await concatKdf(secret, 256, ['A256GCM', '', ''])
  const key = await crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['decrypt'])
  const algorithm = {
    name: 'AES-GCM',
    iv: base64url.decode(iv),
    additionalData: new TextEncoder().encode(header),
  }
  const sealed = Uint8Array.of(...base64url.decode(ciphertext), ...base64url.decode(tag))
  const plaintext = await crypto.subtle.decrypt(algorithm, key, sealed)
  return JSON.parse(new TextDecoder().decode(plaintext))
}

it('is judged by a derivation that makes the key of RFC 7518 Appendix C', async () => {
  const sharedSecret = Uint8Array.of(
    ...[158, 86, 217, 29, 129, 113, 53, 211, 114, 131, 66, 131, 191, 132, 38, 156],
    ...[251, 49, 110, 163, 218, 128, 106, 72, 246, 218, 167, 121, 140, 254, 144, 196],
  )
  const key = await concatKdf(sharedSecret.buffer, 128, ['A128GCM', 'Alice', 'Bob'])
  expect(base64url.encode(new Uint8Array(key))).toBe('VqqN6vgjbSBcIijNcacQGg')
})

describe('a direct token', () => {
  it('opens to the card that was encrypted, and has one length for every card', async () => {
    const lengths = new Set<number>()
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const token = await tokenOf(payload)
        lengths.add(token.length)
        const { plaintext } = await compactDecrypt(token, privateKey)
        expect(plaintext).toHaveLength(192)
        expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual(payload)
      }),
    )
    expect(lengths.size).toBe(1)
    expect([...lengths][0]).toBeLessThan(1024)
  })

  it('is opened by the same key derivation whether the library or jose made it', async () => {
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const theirs = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(payload)))
          .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
          .encrypt(publicKey)
        expect(await openByTheLetter(theirs)).toEqual(payload)
        expect(await openByTheLetter(await tokenOf(payload))).toEqual(payload)
      }),
      { numRuns: 25 },
    )
  })

  it('names its algorithms, a fresh public key and the session, and nothing else', async () => {
    const header = decodeProtectedHeader(await tokenOf(CARD))
    expect(header).toEqual({
      alg: 'ECDH-ES',
      enc: 'A256GCM',
      kid: 'a-session',
      epk: {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String) as string,
        y: expect.any(String) as string,
      },
    })
    const again = decodeProtectedHeader(await tokenOf(CARD))
    expect(again.epk).not.toEqual(header.epk)
  })

  it.each([
    ['header', 0],
    ['encrypted key', 1],
    ['initialization vector', 2],
    ['ciphertext', 3],
    ['authentication tag', 4],
  ])('is refused when its %s was altered, wherever it was', async (_name, index) => {
    const segments = (await tokenOf(CARD)).split('.')
    const segment = segments[index] ?? ''
    // The last character may hold padding bits.
    const places = fc.nat(Math.max(0, segment.length - 2))
    const letters = fc.constantFrom(...'ABCxyz019-_'.split(''))
    await fc.assert(
      fc.asyncProperty(places, letters, async (at, letter) => {
        fc.pre(segment[at] !== letter)
        const altered = segments.with(index, segment.slice(0, at) + letter + segment.slice(at + 1))
        await expect(compactDecrypt(altered.join('.'), privateKey)).rejects.toThrow()
      }),
      { numRuns: 50 },
    )
  })

  it('is not made of a payload that its padding cannot hide', async () => {
    const store = 'é'.repeat(60)
    await expect(tokenOf({ ...CARD, store })).rejects.toThrow(RangeError)
  })

  it('is not made for a point off the curve', async () => {
    const x = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE'
    const key = { kty: 'EC', crv: 'P-256', x, y: x } as const
    await expect(agreeOnKey({ ...session, 'public-key': key })).rejects.toThrow()
  })
})
