import { describe, expect, it } from 'vitest'
import { cieloNotices } from './cielo-notice.js'

describe('a notice', () => {
  const PaymentId = '0D5B4F0A-0000-4000-8000-000000000001'
  it.each([1, 3, 5, 6, 7, 8, 25, '1', 99])(
    'of type %j is a hint, and nothing more',
    (ChangeType) => {
      expect(cieloNotices.read({ PaymentId, ChangeType })).toEqual({
        kind: 'hints',
        paymentIds: [PaymentId.toLowerCase()],
      })
    },
  )

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'x'],
    ['an address in the place of a payment', { PaymentId: '../1', ChangeType: 1 }],
    ['no type', { PaymentId }],
  ])('is none when it is %s', (_, body) => {
    expect(cieloNotices.read(body)).toEqual({ kind: 'none' })
  })

  it('of a recurrence that Cielo runs names nothing', () => {
    const hint = cieloNotices.read({ paymentId: PaymentId, changeType: 2 })
    expect(hint).toEqual({ kind: 'hints', paymentIds: [] })
  })
})
