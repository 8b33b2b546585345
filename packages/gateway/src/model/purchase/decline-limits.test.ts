import { describe, expect, it } from 'vitest'
import { MERCHANT } from '../../gateway.fixture.js'
import { USUAL_DECLINE_LIMITS, countedAddress, declineLimitsOf } from './decline-limits.js'

const UNLIMITED = { payer: undefined, address: undefined, bin: undefined }

describe('the limits of declines', () => {
  it('are the usual ones in production, and none in the sandbox, where a store sets none', () => {
    expect(declineLimitsOf(MERCHANT, 'production')).toEqual(USUAL_DECLINE_LIMITS)
    expect(declineLimitsOf(MERCHANT, 'sandbox')).toEqual(UNLIMITED)
  })

  it.each(['production', 'sandbox'] as const)(
    'are what a store sets in %s, 0 for none',
    (where) => {
      const set = { ...MERCHANT, payerDeclines: 3, addressDeclines: 0, binDeclines: 1 }
      expect(declineLimitsOf(set, where)).toEqual({ payer: 3, address: undefined, bin: 1 })
    },
  )
})

describe('what counts as one address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:1:a:b:c:d', '2001:db8:0:1::/64'],
    ['2001:DB8:0000:0001::1', '2001:db8:0:1::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['2001:db8::5', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001:db8::192.0.2.1', '2001:db8:0:0::/64'],
  ])('of %s is %s', (ip, counted) => {
    expect(countedAddress(ip)).toBe(counted)
  })
})
