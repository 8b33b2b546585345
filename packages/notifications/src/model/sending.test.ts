import { describe, expect, it } from 'vitest'
import type { Notification, RefundId, TransactionCode } from '@cofre/gateway/room'
import { acknowledges, awaitsSearch, notificationId } from './sending.js'

const notification: Notification = {
  transactionCode: 59_000_000_000_001 as TransactionCode,
  position: 2,
  merchantId: 'store-1',
  url: 'https://shop.example/n',
  refundId: undefined,
  refundNature: undefined,
  status: 'COMPLETE',
  createdAtMs: 0,
  attempts: 0,
}

describe('a notification', () => {
  it('keeps its name in every attempt', () => {
    expect(notificationId(notification)).toBe(notificationId({ ...notification, attempts: 5 }))
  })

  it.each([
    [200, true],
    [201, false],
    [204, false],
    [302, false],
    [500, false],
    [undefined, false],
  ])('answered with %s is acknowledged: %s', (statusCode, expected) => {
    expect(acknowledges({ statusCode })).toBe(expected)
  })

  it('of a complete transaction awaits its search, of a refund does not', () => {
    expect(awaitsSearch(notification)).toBe(true)
    expect(awaitsSearch({ ...notification, status: 'CANCELLED' })).toBe(false)
    expect(awaitsSearch({ ...notification, refundId: 7 as RefundId })).toBe(false)
  })
})
