import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import type { TestEngine } from '@cofre/sql/testing'
import {
  ACKNOWLEDGED,
  APPROVED,
  MERCHANT,
  NOW_MS,
  cardRequest,
} from '../../gateway/src/gateway.fixture.js'
import type { RefundId, TransactionCode } from '@cofre/gateway/room'
import type { OutgoingNotification, SendResult } from './model/sending.js'
import { claimNotifications, deliver } from './notification-delivery.js'
import { type TestNotifications, openTestNotifications } from './notifications.fixture.js'

export const INTERVAL_MS: number = 10 * MINUTE_MS
export const FAILED: SendResult = { statusCode: 500, durationMs: 1, responseExcerpt: '' }

/** A gateway that sends notifications in rounds, at the test's time. */
export interface Rounds {
  readonly test: TestNotifications
  readonly sent: OutgoingNotification[]
  /** The time of both clocks. */
  nowMs: number
  /** The answer of every shop. */
  answer: (notification: OutgoingNotification) => SendResult
  /** Pays with a card that is declined: its notification rests at the first 200. */
  decline(reference: string, merchantId?: string): Promise<TransactionCode>
  /** Pays with a card that is approved. */
  pay(reference: string): Promise<TransactionCode>
  /** Requests a refund, which the bank then rejects: the transaction stays COMPLETE. */
  rejectRefund(code: TransactionCode): Promise<void>
  /** Sends the due notifications once, and returns them. */
  round(): Promise<readonly OutgoingNotification[]>
  /** Sends until nothing is due, and returns all notifications. */
  rounds(): Promise<readonly OutgoingNotification[]>
}

export async function openRounds(
  engine: TestEngine,
  over: Parameters<typeof openTestNotifications>[1] = {},
): Promise<Rounds> {
  const state: Pick<Rounds, 'sent' | 'nowMs' | 'answer'> = {
    sent: [],
    nowMs: NOW_MS,
    answer: () => ACKNOWLEDGED,
  }
  const clock = { now: () => state.nowMs }
  const test = await openTestNotifications(engine, {
    clock,
    machineClock: clock,
    purchaseLimits: { perTransactionMinor: minorUnits(10_000), perPeriodMinor: undefined },
    sender: {
      send(notification) {
        state.sent.push(notification)
        return Promise.resolve(state.answer(notification))
      },
    },
    ...over,
  })
  // Removes the limits, because the only payer's cards are declined repeatedly.
  await test.gateway.saveMerchant({ ...MERCHANT, payerDeclines: 0, binDeclines: 0 })
  const { deliveries, parts } = test
  const order = async (reference: string, merchantId: string): Promise<TransactionCode> => {
    const merchant = { ...MERCHANT, id: merchantId }
    const { json } = await test.send('POST', '/transactions', {
      body: cardRequest(reference),
      merchant,
    })
    return Number((json.transaction as { code: string }).code) as TransactionCode
  }
  const round = async (): Promise<readonly OutgoingNotification[]> => {
    const before = state.sent.length
    const claimed = await claimNotifications(deliveries, 100)
    await Promise.all(claimed.map((notification) => deliver(deliveries, notification)))
    return state.sent.slice(before)
  }
  return Object.assign(state, {
    test,
    decline(reference: string, merchantId: string = MERCHANT.id) {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
      return order(reference, merchantId)
    },
    pay(reference: string) {
      test.answerCards(() => Promise.resolve(APPROVED))
      return order(reference, MERCHANT.id)
    },
    async rejectRefund(code: TransactionCode) {
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
      const { json } = await test.send('POST', '/refunds', { body })
      await parts.refunds.finish(Number(json['refund-id']) as RefundId, 'REJECTED', state.nowMs)
    },
    round,
    async rounds() {
      const before = state.sent.length
      while ((await round()).length > 0);
      return state.sent.slice(before)
    },
  })
}
