import { Secret } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { signatureCheck } from './authentication-service.js'

const secret = new Secret('a secret of the store')
const body = new TextEncoder().encode('{"transaction-id":1}')
const nothing = new Uint8Array()

// Computed with Python's hashlib and hmac; also in docs/signing.md.
const SEARCH = '307305ff9ac6bf428a3394092dc93249a113997e9f9bc0fb5825f442b3668caf'
const CREATION = '9d330c3bab229b954da4e33cd21aa0feb3294ba234e411c42936ae803e0355c4'
const REFUND = '65e48d23f17b8ef3858056ba3b37e1da14a4d3ecc9e6d17dc4cbca55f4ace29d'

describe('signatureCheck', () => {
  it.each([
    ['/transactions?page=2', nothing, SEARCH],
    ['/transactions', body, CREATION],
    ['/refunds', body, REFUND],
  ])('knows the signature of %s as the specification spells it', (target, bytes, hmac) => {
    expect(signatureCheck({ target, body: bytes }, hmac, 'spec')(secret)).toBe(true)
  })

  it.each([
    ['another path', { target: '/refunds/', body }, REFUND],
    ['another query', { target: '/transactions?page=3', body: nothing }, SEARCH],
    ['another body', { target: '/refunds', body: new TextEncoder().encode('{}') }, REFUND],
    ['a body where none was signed', { target: '/transactions?page=2', body }, SEARCH],
    ['a wrong Content-MD5', { target: '/refunds', body, contentMd5: 'x' }, REFUND],
  ])('refuses %s', (_, request, hmac) => {
    expect(signatureCheck(request, hmac, 'any')(secret)).toBe(false)
  })

  it.each([
    'ebecdae014feb2d642fdb4a3eafce414',
    'ZWJlY2RhZTAxNGZlYjJkNjQyZmRiNGEzZWFmY2U0MTQ=',
    Buffer.from('ebecdae014feb2d642fdb4a3eafce414', 'hex').toString('base64'),
  ])('takes the Content-MD5 %s', (contentMd5) => {
    const request = { target: '/refunds', body, contentMd5 }
    expect(signatureCheck(request, REFUND, 'any')(secret)).toBe(true)
  })
})
