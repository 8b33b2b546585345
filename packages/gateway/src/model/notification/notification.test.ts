import { describe, expect, it } from 'vitest'
import type { RefundId } from '../refund/refund.js'
import type { TransactionCode } from '../transaction/transaction.js'
import { type Notification, messageOf } from './notification.js'

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

describe('messageOf', () => {
  it('is a form for a change of status', () => {
    expect(messageOf(notification, false)).toEqual({
      contentType: 'application/x-www-form-urlencoded',
      body: 'transaction-code=59000000000001&notification-type=transaction',
    })
  })

  it('marks a message from the sandbox', () => {
    expect(messageOf(notification, true).body).toMatch(/&test-mode=true$/)
  })

  it('names the reason why a bank returned a PIX by itself', () => {
    const back = { ...notification, status: 'REFUNDED', refundNature: 'MED_FRAUDE' } as const
    expect(messageOf(back, false).body).toBe(
      'transaction-code=59000000000001&notification-type=transaction&refund-nature=MED_FRAUDE',
    )
  })

  it('is JSON for a refund, with integers', () => {
    expect(messageOf({ ...notification, refundId: 7 as RefundId }, true)).toEqual({
      contentType: 'application/json',
      body: '{"notification-type":"refund","refund-id":7,"transaction-id":59000000000001}',
    })
  })
})
