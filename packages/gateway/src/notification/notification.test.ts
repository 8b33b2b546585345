import { DAY_MS, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import type { RefundId } from '../refund/refund.js'
import type { TransactionCode } from '../transaction/transaction-code.js'
import {
  type Notification,
  acknowledges,
  awaitsSearch,
  messageOf,
  notificationId,
  pauseMs,
} from './notification.js'

const notification: Notification = {
  transactionCode: 59_000_000_000_001 as TransactionCode,
  position: 2,
  merchantId: 'store-1',
  url: 'https://shop.example/n',
  refundId: undefined,
  status: 'COMPLETE',
  createdAtMs: 0,
  attempts: 0,
}

describe('messageOf', () => {
  it('is a form for a change of status', () => {
    expect(messageOf(notification, false)).toEqual({
      contentType: 'application/x-www-form-urlencoded',
      body: 'transaction-code=59000000000001&notification-type=transaction',
    })
  })

  it('says so when it comes from the sandbox', () => {
    expect(messageOf(notification, true).body).toMatch(/&test-mode=true$/)
  })

  it('is JSON for a refund, with integers', () => {
    expect(messageOf({ ...notification, refundId: 7 as RefundId }, true)).toEqual({
      contentType: 'application/json',
      body: '{"notification-type":"refund","refund-id":7,"transaction-id":59000000000001}',
    })
  })
})

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

describe('pauseMs', () => {
  const interval = 10 * MINUTE_MS

  it('is the interval, or up to a tenth less, for three days', () => {
    for (const ageMs of [0, HOUR_MS, 3 * DAY_MS]) {
      expect(pauseMs(ageMs, interval, 0)).toBe(interval)
      expect(pauseMs(ageMs, interval, 1)).toBe(9 * MINUTE_MS)
    }
  })

  it('doubles with each further day, up to six hours', () => {
    const pauses = [4, 5, 6, 30, 3000].map((days) => pauseMs(days * DAY_MS, interval, 0))
    expect(pauses).toEqual([
      20 * MINUTE_MS,
      40 * MINUTE_MS,
      80 * MINUTE_MS,
      6 * HOUR_MS,
      6 * HOUR_MS,
    ])
  })
})
