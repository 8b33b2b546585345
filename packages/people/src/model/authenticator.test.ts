import { Secret } from '@cofre/contracts'
import { Secret as OtpSecret, TOTP, URI } from 'otpauth'
import { describe, expect, it } from 'vitest'
import {
  authenticatorSecret,
  authenticatorUri,
  isAuthenticatorCode,
  stepOfCode,
} from './authenticator.js'

/** RFC 6238, appendix B, SHA-1: seconds, and codes of eight digits; ours are the last six. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const
const SECRET = new Secret(OtpSecret.fromUTF8('12345678901234567890').base32)

function stepAt(seconds: number, code: string): number | undefined {
  return stepOfCode(SECRET, new Secret(code), seconds * 1000)
}

describe('codes of authenticators', () => {
  it.each(VECTORS)('are those of RFC 6238 at %i seconds', (seconds, code) => {
    expect(stepAt(seconds, code.slice(2))).toBe(Math.floor(seconds / 30))
  })

  it('are accepted one step early or late, and return their step', () => {
    const step = Math.floor(1_111_111_109 / 30)
    const tried = [-60, -30, 0, 30, 60].map((late) => stepAt(1_111_111_109 + late, '081804'))

    expect(tried).toEqual([undefined, step, step, step, undefined])
  })

  it.each(['081805', '', '08180', '0818044', '٠٨١٨٠٤', '08180x'])('are not %j', (code) => {
    expect(stepAt(1_111_111_109, code)).toBeUndefined()
  })

  it('may be typed as authenticators show them', () => {
    expect(stepAt(1_111_111_109, ' 081 804')).toBe(37_037_036)
    expect(isAuthenticatorCode(' 081 804')).toBe(true)
    expect(isAuthenticatorCode('ABCD-EFGH-JKMN-PQRS')).toBe(false)
  })
})

describe('the secret that a page shows', () => {
  const token = new Secret('token')
  const shown = authenticatorSecret(token, 'visit')

  it('is the same for one browser, and for no other browser or link', () => {
    expect(authenticatorSecret(token, 'visit').reveal()).toBe(shown.reveal())
    expect(authenticatorSecret(token, 'other').reveal()).not.toBe(shown.reveal())
    expect(authenticatorSecret(new Secret('other'), 'visit').reveal()).not.toBe(shown.reveal())
    expect(OtpSecret.fromBase32(shown.reveal()).bytes).toHaveLength(20)
  })

  it('makes codes in an authenticator that reads its address', () => {
    const read = URI.parse(authenticatorUri(shown, 'ana@shop.example').reveal())

    expect(read).toBeInstanceOf(TOTP)
    expect([read.issuer, read.label]).toEqual(['Cofre', 'ana@shop.example'])
    const code = (read as TOTP).generate({ timestamp: 59_000 })
    expect(stepOfCode(shown, new Secret(code), 59_000)).toBe(1)
  })
})
