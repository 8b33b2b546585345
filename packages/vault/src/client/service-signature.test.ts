import { describe, expect, it } from 'vitest'
import { parseServiceKeys } from './service-key.js'
import { readCredential, signAnswer, signRequest, writeCredential } from './service-signature.js'

const { current: key } = parseServiceKeys(`k1:${Buffer.alloc(32, 7).toString('base64url')}`)
const request = { method: 'POST', target: '/v1/ping', body: '{}' }
const credential = signRequest(key, request, {
  timeSeconds: 1_800_000_000,
  nonce: 'AAECAwQFBgcICQoLDA0ODw',
})

describe('Signatures of the service port', () => {
  // Computed with Python's hmac.
  it('are HMAC-SHA256 over the parts, one a line', () => {
    expect(writeCredential(credential)).toBe(
      'CofreVault k1:1800000000:AAECAwQFBgcICQoLDA0ODw:NAVCTjgB-I9TF0apIOP-vJuRfh6bkzcW-EaahRZF5vw',
    )
    expect(signAnswer(key, credential, { status: 200, body: '{}' })).toBe(
      '8-lY_xLHa0-le5cONW9FOn_O-jIc_WFRXmbAE7sAqwQ',
    )
  })

  it('are read as they were written', () => {
    expect(readCredential(writeCredential(credential))).toEqual(credential)
  })

  it.each([
    undefined,
    '',
    'CofreVault',
    'CofreVault k1:1:a:b',
    `${writeCredential(credential)}A`,
    writeCredential(credential).replace('k1', 'k 1'),
    writeCredential(credential).replace(':1800000000:', ':-1:'),
    `Bearer ${writeCredential(credential)}`,
  ])('are not read from %j', (header) => {
    expect(readCredential(header)).toBeUndefined()
  })
})
