import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  claimedStore,
  digestFormOf,
  mediaType,
  signedMessage,
  spellBodyDigest,
} from './merchant-request.js'

const BODY = '{"transaction":{"reference":"pedido-1"}}'

describe('mediaType', () => {
  it.each([
    ['cofre', 'v1', 'application/vnd.cofre.v1+json; charset=UTF-8'],
    ['cofre', 'v2', 'application/vnd.cofre.v2+json; charset=UTF-8'],
    ['acme.com', 'v2', 'application/vnd.acme.com.v2+json; charset=UTF-8'],
  ] as const)('of %s in %s is %s', (vendor, version, type) => {
    expect(mediaType(vendor, version)).toBe(type)
  })
})

describe('claimedStore', () => {
  const input = (keyId: string) => `cofre=("@method");created=1;keyid="${keyId}";alg="hmac-sha256"`
  it.each([
    ['store-1', { authorization: 'store-1:00' }],
    ['store-1', { 'signature-input': input('store-1') }],
    ['store-1', { authorization: 'store-1:00', 'signature-input': input('store-2') }],
    ['store-1', { 'signature-input': `proxy=();keyid="store-2", ${input('store-1')}` }],
    ['store-1', { 'signature-input': `x=();tag=", cofre=();keyid=";q="1", ${input('store-1')}` }],
    [
      'store-1',
      { 'signature-input': `x=();tag=", cofre=()";keyid="store-2", ${input('store-1')}` },
    ],
    [undefined, { 'signature-input': `${input('store-1')}, ${input('store-2')}` }],
    [undefined, { 'signature-input': 'mycofre=();created=1;keyid="store-2"' }],
    [undefined, { 'signature-input': input('not a store') }],
    [undefined, { authorization: 'Bearer x' }],
    [undefined, {}],
  ])('is %s by %j', (store, headers) => {
    expect(claimedStore(new Headers(headers as Record<string, string>))).toBe(store)
  })
})

describe('spellBodyDigest', () => {
  it('spells the hex text, or the base64 of that text and not of its bytes', () => {
    const md5OfNothing = 'd41d8cd98f00b204e9800998ecf8427e'
    expect(spellBodyDigest(md5OfNothing, 'hex')).toBe(md5OfNothing)
    expect(spellBodyDigest(md5OfNothing, 'base64')).toBe(
      'ZDQxZDhjZDk4ZjAwYjIwNGU5ODAwOTk4ZWNmODQyN2U=',
    )
  })

  it('agrees with the base64 of Node', () => {
    const md5 = createHash('md5').update(BODY).digest('hex')
    expect(spellBodyDigest(md5, 'base64')).toBe(Buffer.from(md5, 'ascii').toString('base64'))
  })
})

describe('digestFormOf', () => {
  it.each([
    ['/refunds', 'hex'],
    ['/refunds/', 'hex'],
    ['/refunds?x=1', 'hex'],
    ['/refunds/?x=1', 'hex'],
    ['/transactions', 'base64'],
    ['/transactions/123', 'base64'],
    ['/transactions?next=/refunds', 'base64'],
    ['/refundsx', 'base64'],
    ['/refunds/1', 'base64'],
    ['/a/refunds', 'base64'],
    ['/card?bin=411111', 'base64'],
    ['', 'base64'],
  ])('gives %j the form %s', (target, form) => {
    expect(digestFormOf(target)).toBe(form)
  })
})

describe('signedMessage', () => {
  it.each([
    ['/transactions', 'ZTgw', '/transactionsZTgw'],
    ['/transactions?page=2&status=PENDING', '', '/transactions?page=2&status=PENDING'],
    ['/transactions/%41', '', '/transactions/%41'],
  ])('of %s and %j is %s', (target, digest, message) => {
    expect(signedMessage(target, digest)).toBe(message)
  })

  // Computed with openssl, key `segredo`.
  it.each([
    ['/transactions', BODY, 'ca9e90bf8d8d7de35fee3a44c97a52135ba7b979bb8fb4a97733cfeef057f696'],
    ['/refunds', BODY, '5c698170aca87d5507e6f503fed9640485a2fdac7d1069d3fdb1ad8c88d908f6'],
    [
      '/transactions?status=COMPLETE&page=2',
      '',
      'af6481bba7dd1c7157ed4d075237ec477dd7e28540ea8b5d68b6174da34fac23',
    ],
  ])('of %s with the body %j has a known signature', (target, body, signature) => {
    const md5 = createHash('md5').update(body).digest('hex')
    const digest = body === '' ? '' : spellBodyDigest(md5, digestFormOf(target))
    const message = signedMessage(target, digest)
    expect(createHmac('sha256', 'segredo').update(message).digest('hex')).toBe(signature)
  })
})
