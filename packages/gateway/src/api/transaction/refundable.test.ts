import { DAY_MS, type TransactionStatus, formatAmount, minorUnits } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import type { RefundId } from '../../model/refund/refund.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'

const WHOLE = 10_000
const NOTIFY_URL = 'https://shop.example/refunds'

const cases = fc.record({
  method: fc.constantFrom('card', 'boleto', 'pix', 'paypal'),
  statuses: fc.constantFrom<readonly TransactionStatus[]>(
    [],
    ['CANCELLED'],
    ['UNDER-REVIEW'],
    ['COMPLETE'],
    ['COMPLETE'],
    ['COMPLETE', 'CHARGEBACK'],
  ),
  refunds: fc.array(
    fc.record({
      amount: fc.constantFrom(1, 4000, WHOLE),
      outcome: fc.constantFrom('PROCESSED', 'PROCESSED', 'REJECTED', undefined),
    }),
    { maxLength: 3 },
  ),
  right: fc.constantFrom('full-and-partial', 'full-and-partial', 'full', 'none', 'reseller'),
  days: fc.constantFrom(0, 0, 90, 91, 360, 361),
})

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

interface Shown {
  readonly refundable: boolean
  readonly refunds: readonly {
    readonly 'refund-status': string
    readonly 'refund-amount': string
  }[]
}

describe('refundable', () => {
  it('is true exactly where a refund of what is left is accepted', async () => {
    let nowMs = NOW_MS
    const test = await openTestGateway(TEST_SQLITE, {
      clock: { now: () => nowMs },
      purchaseLimits: { perTransactionMinor: minorUnits(WHOLE), perPeriodMinor: undefined },
    })
    onTestFinished(() => test.close())
    const { transactions, refunds: refundStore } = test.parts
    const refund = (code: TransactionCode, amountMinor: number) =>
      test.send('POST', '/refunds', {
        body: {
          'transaction-id': code,
          'notify-url': NOTIFY_URL,
          amount: formatAmount(minorUnits(amountMinor)),
        },
      })
    let orders = 0
    const seen = new Set<boolean>()
    const check = async ({ method, statuses, refunds, right, days }: Case) => {
      nowMs = NOW_MS
      await test.gateway.saveMerchant(MERCHANT)
      const reference = `order-${++orders}`
      const body = method === 'card' ? cardRequest(reference) : railRequest(reference, method)
      const { json } = await test.send('POST', '/transactions', { body })
      const code = Number((json.transaction as { code: string }).code) as TransactionCode
      for (const to of statuses) await transactions.changeStatus(code, { to, atMs: nowMs })
      for (const { amount, outcome } of refunds) {
        const started = await refund(code, amount)
        const id = Number(started.json['refund-id']) as RefundId
        if (started.status === 201 && outcome !== undefined)
          await refundStore.finish(id, outcome, nowMs)
      }
      await test.gateway.saveMerchant({ ...MERCHANT, refunds: right })
      nowMs += days * DAY_MS
      const found = await test.send('GET', `/transactions/${code}`)
      const [shown] = (found.json['transaction-result'] as { transactions: [Shown] }).transactions
      const refundedMinor = shown.refunds
        .filter((each) => each['refund-status'] !== 'REJECTED')
        .reduce((sum, each) => sum + Math.round(Number(each['refund-amount']) * 100), 0)
      const left = WHOLE - refundedMinor
      const { status } = await refund(code, left === 0 ? 1 : left)
      expect(shown.refundable).toBe(status === 201)
      seen.add(shown.refundable)
    }
    // Few drawn cases can be refunded, so one that can is always included.
    const paid: Case = {
      method: 'pix',
      statuses: ['COMPLETE'],
      refunds: [],
      right: 'full-and-partial',
      days: 0,
    }
    await fc.assert(fc.asyncProperty(cases, check), { numRuns: 60, examples: [[paid]] })
    expect(seen.size).toBe(2)
  })
})
