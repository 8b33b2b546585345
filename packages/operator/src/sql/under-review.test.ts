import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { APPROVED, AUTHORIZED, NOW_MS, cardRequest } from '../../../gateway/src/gateway.fixture.js'
import type { TransactionCode } from '../../../gateway/src/model/transaction/transaction.js'
import { applyCardChanges } from '../../../gateway/src/payment/card-return-service.js'
import { type TestOperator, openTestOperator } from '../operator.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`transactions under review on ${engine.name}`, () => {
    let nowMs = NOW_MS
    const open = async (): Promise<TestOperator> => {
      nowMs = NOW_MS
      const clock = { now: () => nowMs }
      const test = await openTestOperator(engine, { clock, machineClock: clock })
      onTestFinished(() => test.close())
      return test
    }
    const pay = async (test: TestOperator, outcome: 'approved' | 'unknown' | 'review') => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome }))
      const { json } = await test.send('POST', '/transactions', {
        body: cardRequest(`order-${nowMs}`),
      })
      return (json.transaction as { code: string }).code
    }

    it('are none where every outcome is known', async () => {
      const test = await open()
      await pay(test, 'approved')
      const none = { count: 0, sinceMs: undefined }
      expect(await test.gateway.underReview.count()).toEqual({ answer: none, review: none })
      expect(await test.gateway.underReview.find(nowMs, 10)).toEqual([])
    })

    it('are counted by what they wait for, and found longest first', async () => {
      const test = await open()
      const { underReview } = test.gateway
      const { parts: deps } = test
      const lost = await pay(test, 'unknown')
      nowMs += MINUTE_MS
      const reviewed = await pay(test, 'review')
      nowMs += MINUTE_MS
      await pay(test, 'approved')
      nowMs += MINUTE_MS
      const latest = await pay(test, 'unknown')
      expect(await underReview.count()).toEqual({
        answer: { count: 2, sinceMs: NOW_MS },
        review: { count: 1, sinceMs: NOW_MS + MINUTE_MS },
      })
      const codes = async (sinceMs: number, limit = 10) =>
        (await underReview.find(sinceMs, limit)).map(({ code }) => String(code))
      expect(await codes(nowMs)).toEqual([lost, reviewed, latest])
      expect(await codes(nowMs, 2)).toEqual([lost, reviewed])
      expect(await codes(NOW_MS + MINUTE_MS)).toEqual([lost, reviewed])
      expect(await codes(NOW_MS - 1)).toEqual([])
      const intent = await deps.transactions.findByCode(Number(lost) as TransactionCode)
      await deps.transactions.settle(intent!, { status: 'COMPLETE', open: false, atMs: nowMs })
      expect(await codes(nowMs + DAY_MS)).toEqual([reviewed, latest])
      test.changes.push({
        id: 'change-1',
        transactionCode: reviewed,
        atMs: nowMs,
        change: { kind: 'settled', answer: AUTHORIZED },
      })
      await applyCardChanges(deps, AbortSignal.abort())
      expect(await codes(nowMs + DAY_MS)).toEqual([latest])
    })
  })
}
