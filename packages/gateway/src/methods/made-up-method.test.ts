// A method that the product does not have. A new one touches only this file, its registration, and
// its fields in the API's request.
import { DAY_MS, HOUR_MS, type PaymentType } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { beginDeadline } from '@cofre/work'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  openTestGateway,
  railRequest,
  withParts,
} from '../gateway.fixture.js'
import type { GatewayParts } from '../create-gateway.js'
import { type PaymentMethod, paymentMethodsOf } from '../method/payment-method.js'
import type { RefundOutcome } from '../model/refund/refund.js'
import type { Transaction } from '../model/transaction/transaction.js'
import { cancelWaiting } from '../payment/cancellation-service.js'
import { expireUnpaid } from '../payment/expiry-service.js'
import { askAfterOpenCharges } from '../payment/open-intent-service.js'
import { createRefund, processRefunds } from '../payment/refund-service.js'
import { recordStatus } from '../payment/status-report-service.js'
import { createTransaction, readTransactionRequest } from '../payment/transaction-service.js'

const BARTER = 'barter' as PaymentType

describe('a made-up payment method', () => {
  let test: TestGateway
  let parts: GatewayParts
  let calls: string[]
  let answer: () => Promise<string>
  let outcome: RefundOutcome | 'unknown'
  let nowMs: number

  beforeEach(async () => {
    nowMs = NOW_MS
    calls = []
    outcome = 'PROCESSED'
    answer = () => Promise.resolve('two goats')
    const clock = { now: () => nowMs }
    test = await openTestGateway(TEST_SQLITE, { clock, machineClock: clock })
    const methods = paymentMethodsOf([...test.parts.methods.all, barter(test.parts)])
    parts = withParts(test.parts, { methods })
  })
  afterEach(() => test.close())

  function barter({ clock, transactions }: GatewayParts): PaymentMethod {
    const open = async (intent: Transaction) => {
      calls.push('open')
      const wanted = await answer()
      return await transactions.settle(intent, {
        status: 'PENDING',
        open: false,
        paymentDetails: { kind: 'wallet', paymentUrl: wanted, successUrl: '', failUrl: '' },
        expiresAtMs: intent.createdAtMs + HOUR_MS,
        atMs: clock.now(),
      })
    }
    return {
      type: BARTER,
      unpaidStatus: 'NOT-PAID',
      plan: () => ({ installments: 1, parts: [], open }),
      resume: open,
      finish: open,
      decide: async (intent) => {
        await open(intent)
        return 'arrived'
      },
      async cancel({ code }) {
        calls.push('cancel')
        await transactions.changeStatus(code, { to: 'CANCELLED', atMs: clock.now() })
      },
      follow: ({ status }) => {
        calls.push(`follow ${status}`)
        return Promise.resolve()
      },
      refundObstacle: ({ amountMinor }) => (amountMinor > 5_000 ? 'status' : undefined),
      refundDays: () => Promise.resolve(2),
      refund: ({ amountMinor }) => {
        calls.push(`refund ${amountMinor}`)
        return Promise.resolve(outcome)
      },
      shown: () => ({ 'payment-url': 'https://barter.example/goats' }),
      isGivenLater: false,
    }
  }

  async function buy(reference: string, amount = 50) {
    const policy = { ...parts.requestPolicy, today: '2026-11-21' }
    const body = railRequest(reference, 'pix', { amount })
    const read = readTransactionRequest(body, MERCHANT, policy)
    const [charge] = read.charge
    const request = { ...read, charge: [{ ...charge!, 'payment-method': { type: BARTER } }] }
    return await createTransaction(parts, MERCHANT, {
      request,
      isRetry: false,
      deadline: beginDeadline(),
    })
  }

  const find = async ({ code }: Transaction) => (await parts.transactions.findByCode(code))!

  it('opens a payment, and shows what its payer needs', async () => {
    const payment = await buy('order-1')
    expect(payment).toMatchObject({ paymentType: BARTER, status: 'PENDING', open: false })
    const shown = parts.methods.of(BARTER).shown(payment, 'https://api.example')
    expect(shown).toEqual({ 'payment-url': 'https://barter.example/goats' })
  })

  it('finishes an intent whose answer was lost by the worker’s round', async () => {
    answer = () => Promise.reject(new Error('lost'))
    await expect(buy('order-1')).rejects.toThrow('lost')
    answer = () => Promise.resolve('two goats')
    nowMs += HOUR_MS
    await askAfterOpenCharges(parts)
    const found = await parts.transactions.findByReference(MERCHANT.id, 'order-1')
    expect(found).toMatchObject({ status: 'PENDING', open: false })
    expect(calls).toEqual(['open', 'open'])
  })

  it('cancels a payment that waits, and follows a status that is reported', async () => {
    expect(await cancelWaiting(parts, await buy('order-1'))).toBe('cancelled')
    await recordStatus(parts, (await buy('order-2')).code, 'COMPLETE')
    expect(calls).toEqual(['open', 'cancel', 'open', 'follow COMPLETE'])
  })

  it('ends a payment that its payer does not make by its own status', async () => {
    const payment = await buy('order-1')
    nowMs += 2 * HOUR_MS
    expect(await expireUnpaid(parts)).toBe(1)
    expect((await find(payment)).status).toBe('NOT-PAID')
  })

  it('returns its own payments, requested until it answers', async () => {
    const payment = await buy('order-1')
    await recordStatus(parts, payment.code, 'COMPLETE')
    await refund(payment)
    outcome = 'unknown'
    await processRefunds(parts)
    nowMs += HOUR_MS
    outcome = 'PROCESSED'
    await processRefunds(parts)
    expect(calls.filter((call) => call.startsWith('refund'))).toEqual([
      'refund 5000',
      'refund 5000',
    ])
    expect((await find(payment)).status).toBe('REFUNDED')
  })

  it('refuses refunds for its own reasons, and after its own days', async () => {
    const large = await buy('order-1', 60)
    const late = await buy('order-2')
    for (const { code } of [large, late]) await recordStatus(parts, code, 'COMPLETE')
    await expect(refund(large)).rejects.toMatchObject({
      failures: [{ name: 'payment_does_not_accept_refund' }],
    })
    nowMs += 3 * DAY_MS
    await expect(refund(late)).rejects.toMatchObject({
      failures: [{ name: 'expired_refund_request' }],
    })
  })

  const refund = (payment: Transaction) =>
    createRefund(parts, MERCHANT, {
      request: {
        'transaction-id': String(payment.code),
        'notify-url': 'https://shop.example/refunds',
      },
    })
})
