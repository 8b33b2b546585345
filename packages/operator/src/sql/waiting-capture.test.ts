import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  APPROVED,
  AUTHORIZED,
  MERCHANT,
  NOW_MS,
  cardRequest,
} from '../../../gateway/src/gateway.fixture.js'
import { type TestOperator, openTestOperator } from '../operator.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`payments to capture on ${engine.name}`, () => {
    const open = async (): Promise<TestOperator> => {
      const test = await openTestOperator(engine)
      onTestFinished(() => test.close())
      return test
    }
    const authorize = async (test: TestOperator, reference: string, days: number) => {
      const captureEndsAtMs = NOW_MS + days * DAY_MS
      const charge = { ...AUTHORIZED.charge, captureEndsAtMs }
      test.answerCards(() => Promise.resolve({ ...AUTHORIZED, charge }))
      const body = cardRequest(reference, { capture: false })
      const { json } = await test.send('POST', '/transactions', { body })
      return (json.transaction as { code: string }).code
    }

    it('come soonest first, page by page, until they are captured or voided', async () => {
      const test = await open()
      const { paymentActs, waitingCaptures } = test.gateway
      const list = async (after?: string, limit = 2) => {
        const { items, next } = await waitingCaptures.list(MERCHANT.id, { after, limit })
        return { references: items.map(({ transaction }) => transaction.reference), next }
      }
      expect(await list()).toEqual({ references: [], next: undefined })
      await authorize(test, 'last', 7)
      const first = await authorize(test, 'first', 5)
      const second = await authorize(test, 'second', 6)
      test.answerCards(() => Promise.resolve(APPROVED))
      await test.send('POST', '/transactions', { body: cardRequest('paid') })
      const page = await list()
      expect(page.references).toEqual(['first', 'second'])
      expect(await list(page.next)).toEqual({ references: ['last'], next: undefined })
      expect((await waitingCaptures.list('other-store', { limit: 2 })).items).toEqual([])
      const whole = { amountMinor: undefined, orderedBy: 'store' }
      await paymentActs.capture(MERCHANT.id, first, whole)
      await paymentActs.voidAuthorized(MERCHANT.id, second, 'store')
      expect(await list()).toEqual({ references: ['last'], next: undefined })
    })

    it('show an order that their acquirer has not confirmed', async () => {
      const test = await open()
      const { paymentActs, waitingCaptures } = test.gateway
      const code = await authorize(test, 'order-1', 7)
      const ordered = async () =>
        (await waitingCaptures.list(MERCHANT.id, { limit: 2 })).items.map((one) => one.ordered)
      expect(await ordered()).toEqual([undefined])
      test.endAuthorized(() => Promise.resolve({ kind: 'in_process' }))
      await paymentActs.voidAuthorized(MERCHANT.id, code, 'store')
      expect(await ordered()).toEqual(['void'])
      expect((await paymentActs.possible(MERCHANT.id, code))?.ordered).toBe('void')
    })
  })
}
