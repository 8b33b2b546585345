import { DAY_MS, HOUR_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { RoundFailedError } from '@cofre/work'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ACKNOWLEDGED,
  APPROVED,
  MERCHANT,
  NOW_MS,
  TEST_RAILS,
  cardRequest,
  railRequest,
} from '../gateway.fixture.js'
import type { PaymentRails } from '../model/payment-rail/payment-rails.js'
import { processRefunds } from '../payment/refund-service.js'
import { expireUnpaid } from '../payment/expiry-service.js'
import { askAfterOpenCharges, askAfterOpenIntents } from '../payment/open-intent-service.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import type { OutgoingNotification, SendResult } from '../../../notifications/src/model/sending.js'
import { claimNotifications, deliver } from '../../../notifications/src/notification-delivery.js'
import {
  type TestNotifications,
  openTestNotifications,
} from '../../../notifications/src/notifications.fixture.js'
import { withOperator } from '../../../operator/src/operator.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`The worker on ${engine.name}`, () => {
    let test: TestNotifications
    let nowMs = NOW_MS
    let sent: OutgoingNotification[]
    let receive: (notification: OutgoingNotification) => Promise<SendResult>
    let refund: PaymentRails['refund']

    beforeEach(async () => {
      nowMs = NOW_MS
      sent = []
      receive = () => Promise.resolve(ACKNOWLEDGED)
      refund = () => Promise.resolve('PROCESSED')
      const clock = { now: () => nowMs }
      test = await openTestNotifications(engine, {
        clock,
        machineClock: clock,
        railTimeoutMs: 200,
        rails: { ...TEST_RAILS, refund: (order) => refund(order) },
        sender: {
          send(notification) {
            sent.push(notification)
            return receive(notification)
          },
        },
      })
    })
    afterEach(() => test.close())

    const pay = async (reference: string): Promise<TransactionCode> => {
      const { json } = await test.send('POST', '/transactions', { body: cardRequest(reference) })
      return Number((json.transaction as { code: string }).code) as TransactionCode
    }
    const payByWallet = async (reference: string): Promise<TransactionCode> => {
      const body = railRequest(reference, 'pagseguro')
      const { json } = await test.send('POST', '/transactions', { body })
      const code = Number((json.transaction as { code: string }).code) as TransactionCode
      await test.parts.transactions.changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
      return code
    }
    const search = (code: number) => test.send('GET', `/transactions/${code}`)
    const statusOf = async (code: number): Promise<string | undefined> => {
      const { json } = await search(code)
      const result = json['transaction-result'] as { transactions: { status: string }[] }
      return result.transactions[0]?.status
    }
    const round = async (): Promise<number> => {
      const claimed = await claimNotifications(test.deliveries, 100)
      await Promise.all(claimed.map((notification) => deliver(test.deliveries, notification)))
      return claimed.length
    }

    it('processes a refund, and notifies the shop of the transaction and the refund', async () => {
      const code = await pay('order-1')
      await search(code)
      await round()
      const { json } = await test.send('POST', '/refunds', {
        body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds', amount: 40 },
      })
      await processRefunds(test.parts)
      expect(await statusOf(code)).toBe('REFUNDED')
      await round()
      const reported = sent.slice(1).toSorted((a, b) => a.url.localeCompare(b.url))
      expect(reported.map(({ url, body }) => [url, body])).toEqual([
        [
          'https://shop.example/notifications',
          `transaction-code=${code}&notification-type=transaction`,
        ],
        [
          'https://shop.example/refunds',
          `{"notification-type":"refund","refund-id":${json['refund-id'] as string},"transaction-id":${code}}`,
        ],
      ])
    })

    it('leaves the transaction COMPLETE when its refund is rejected', async () => {
      refund = () => Promise.resolve('REJECTED')
      const code = await payByWallet('order-1')
      await test.send('POST', '/refunds', {
        body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' },
      })
      await processRefunds(test.parts)
      expect(await statusOf(code)).toBe('COMPLETE')
      expect((await search(code)).text).toContain('"refund-status":"REJECTED"')
    })

    it.each(['unknown', 'throws', 'hangs'] as const)(
      'asks again for a refund that is %s',
      async (trouble) => {
        const asked: string[] = []
        const code = await payByWallet('order-1')
        await test.send('POST', '/refunds', {
          body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' },
        })
        refund = ({ refundId }) => {
          asked.push(refundId)
          if (asked.length > 1) return Promise.resolve('PROCESSED')
          if (trouble === 'hangs') return new Promise(() => undefined)
          return trouble === 'throws'
            ? Promise.reject(new Error('gone'))
            : Promise.resolve('unknown')
        }
        const failure = await processRefunds(test.parts).catch((error: unknown) => error)
        expect(failure instanceof RoundFailedError).toBe(trouble !== 'unknown')
        await processRefunds(test.parts)
        expect(asked).toHaveLength(1)
        nowMs += 2 * MINUTE_MS
        await processRefunds(test.parts)
        expect(new Set(asked).size).toBe(1)
        expect(await statusOf(code)).toBe('REFUNDED')
      },
    )

    it('finishes a card payment whose answer was lost', async () => {
      test.answerCards(() => Promise.reject(new Error('connection reset')))
      const code = await pay('order-1')
      test.recallCards(() => APPROVED)
      await askAfterOpenIntents(test.parts)
      expect(await statusOf(code)).toBe('UNDER-REVIEW')
      nowMs += 2 * MINUTE_MS
      await askAfterOpenIntents(test.parts)
      expect(await statusOf(code)).toBe('COMPLETE')
      expect(test.orders).toHaveLength(1)
    })

    it.each(['pending', 'review'] as const)(
      'keeps a status that was notified when a silent vault answers later: %s',
      async (outcome) => {
        test.answerCards(() => Promise.reject(new Error('connection reset')))
        const code = await pay('order-1')
        const changedAtMs = nowMs
        test.recallCards(() => ({ ...APPROVED, outcome }))
        nowMs += 2 * MINUTE_MS
        await askAfterOpenIntents(test.parts)
        const { transactions } = test.parts
        expect(await transactions.findByCode(code)).toMatchObject({
          status: 'UNDER-REVIEW',
          // The acquirer has answered, so its report is awaited, and it is not called again.
          open: false,
          subType: 'visa',
          statusChangedAtMs: changedAtMs,
        })
        await transactions.changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
        const file = await withOperator(test).gateway.backOffice.findTransaction(
          MERCHANT.id,
          String(code),
        )
        expect(file?.history.map(({ status }) => status)).toEqual(['UNDER-REVIEW', 'COMPLETE'])
        expect(file?.notifications).toHaveLength(2)
      },
    )

    it('withdraws an unanswered intent that never reached the vault, and frees its reference', async () => {
      test.answerCards(() => new Promise(() => undefined))
      void pay('order-1')
      await vi.waitUntil(() => test.orders.length > 0, 60_000)
      nowMs += 2 * MINUTE_MS
      await askAfterOpenIntents(test.parts)
      test.answerCards(() => Promise.resolve(APPROVED))
      await pay('order-1')
    })

    it('keeps a transaction that was answered while the vault was asked after it', async () => {
      let loseAnswer: (error: Error) => void = () => undefined
      test.answerCards(() => new Promise((_, reject) => (loseAnswer = reject)))
      const paying = pay('order-1')
      await vi.waitUntil(() => test.orders.length > 0, 60_000)
      nowMs += 2 * MINUTE_MS
      let reportNothing: (answer: undefined) => void = () => undefined
      let isAsked = false
      test.recallCards(() => {
        isAsked = true
        return new Promise((resolve) => (reportNothing = resolve))
      })
      const asking = askAfterOpenIntents(test.parts)
      await vi.waitUntil(() => isAsked, 60_000)
      loseAnswer(new Error('connection reset'))
      const code = await paying
      reportNothing(undefined)
      await asking
      expect(await statusOf(code)).toBe('CANCELLED')
    })

    it('cancels it when the shop has had a response', async () => {
      test.answerCards(() => Promise.reject(new Error('connection reset')))
      const code = await pay('order-1')
      expect(await round()).toBe(1)
      nowMs += 2 * MINUTE_MS
      await askAfterOpenIntents(test.parts)
      expect(await statusOf(code)).toBe('CANCELLED')
      expect(await round()).toBe(1)
    })

    it('asks again later while the outcome stays unknown', async () => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'unknown' }))
      const code = await pay('order-1')
      test.recallCards(() => ({ ...APPROVED, outcome: 'unknown' }))
      nowMs += 2 * MINUTE_MS
      await askAfterOpenIntents(test.parts)
      test.recallCards(() => ({ ...APPROVED, outcome: 'declined' }))
      await askAfterOpenIntents(test.parts)
      expect(await statusOf(code)).toBe('UNDER-REVIEW')
      nowMs += 2 * MINUTE_MS
      await askAfterOpenIntents(test.parts)
      expect(await statusOf(code)).toBe('CANCELLED')
    })

    it('finishes the other refunds when one cannot be', async () => {
      const codes = [await pay('order-1'), await pay('order-2')]
      for (const code of codes) {
        await test.send('POST', '/refunds', {
          body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' },
        })
      }
      vi.spyOn(test.parts.refunds, 'finish').mockRejectedValueOnce(new Error('disk full'))
      await processRefunds(test.parts)
      const statuses = await Promise.all(codes.map(statusOf))
      expect(statuses.toSorted()).toEqual(['COMPLETE', 'REFUNDED'])
      expect(test.logged.join()).toContain('a refund could not be finished')
    })

    it('asks for refunds and open intents again when the machine’s clock was set back', async () => {
      const code = await payByWallet('order-1')
      await test.send('POST', '/refunds', {
        body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' },
      })
      refund = () => Promise.resolve('unknown')
      await processRefunds(test.parts)
      test.answerCards(() => Promise.reject(new Error('connection reset')))
      const open = await pay('order-2')
      nowMs -= 3 * HOUR_MS
      refund = () => Promise.resolve('PROCESSED')
      await processRefunds(test.parts)
      expect(await statusOf(code)).toBe('REFUNDED')
      test.recallCards(() => APPROVED)
      await askAfterOpenIntents(test.parts)
      expect(await statusOf(open)).toBe('COMPLETE')
    })

    it('withdraws an intent whose charge its bank did not open, and logs it', async () => {
      const rails = test.parts.rails as { openPixCharge: PaymentRails['openPixCharge'] }
      let isAsked = false
      rails.openPixCharge = () => {
        isAsked = true
        return new Promise(() => undefined)
      }
      void test.send('POST', '/transactions', { body: railRequest('order-1', 'pix') })
      await vi.waitUntil(() => isAsked, 60_000)
      rails.openPixCharge = () => Promise.reject(new Error('gone'))
      nowMs += 2 * MINUTE_MS
      await askAfterOpenCharges(test.parts)
      expect(test.logged.join()).toContain('intent withdrawn')
      expect(test.logged.join()).not.toContain('not answered yet')
    })

    it('ends the other unpaid transactions when one cannot be', async () => {
      for (const reference of ['order-1', 'order-2'])
        await test.send('POST', '/transactions', { body: railRequest(reference, 'pix') })
      nowMs += 2 * DAY_MS
      const { transactions } = test.parts
      vi.spyOn(transactions, 'changeStatus').mockRejectedValueOnce(new Error('disk full'))
      expect(await expireUnpaid(test.parts)).toBe(1)
      expect(await expireUnpaid(test.parts)).toBe(0)
      nowMs += MINUTE_MS
      expect(await expireUnpaid(test.parts)).toBe(1)
    })

    it('ends unpaid transactions however many before them cannot be ended', async () => {
      for (const reference of ['order-1', 'order-2', 'order-3'])
        await test.send('POST', '/transactions', { body: railRequest(reference, 'pix') })
      nowMs += 2 * DAY_MS
      const { transactions } = test.parts
      const changeStatus = transactions.changeStatus.bind(transactions)
      const findExpired = transactions.findExpired.bind(transactions)
      const [first, second, third] = await findExpired(nowMs, nowMs, 3)
      vi.spyOn(transactions, 'findExpired').mockImplementation((now, machineNow) =>
        findExpired(now, machineNow, 2),
      )
      vi.spyOn(transactions, 'changeStatus').mockImplementation((code, move) =>
        code === third?.code ? changeStatus(code, move) : Promise.reject(new Error('broken')),
      )
      for (let run = 0; run < 3; run++) await expireUnpaid(test.parts)
      expect(await statusOf(third!.code)).toBe('EXPIRED')
      expect(test.logged.filter((line) => line.includes('could not be ended'))).toHaveLength(2)
      nowMs += MINUTE_MS
      vi.restoreAllMocks()
      expect(await expireUnpaid(test.parts)).toBe(2)
      expect([await statusOf(first!.code), await statusOf(second!.code)]).toEqual([
        'EXPIRED',
        'EXPIRED',
      ])
    })

    it.each([
      ['eft', 'pix', DAY_MS, 'EXPIRED'],
      ['e-wallet', 'paypal', HOUR_MS, 'EXPIRED'],
      // Created on Saturday 2026-11-21, due on Tuesday 24, unpaid at the end of the eighth day
      // after.
      ['postpay', 'boleto', Date.parse('2026-12-03T00:00:00-03:00') - NOW_MS, 'NOT-PAID'],
    ])('ends an unpaid %s (%s)', async (type, subType, lifetimeMs, status) => {
      const body = cardRequest('order-1')
      const request = {
        ...body,
        transaction: {
          ...body.transaction,
          'redirect-urls': { success: 'https://shop.example/s', fail: 'https://shop.example/f' },
        },
        charge: [{ amount: 100, 'payment-method': { type, 'sub-type': subType } }],
        payer: { ...body.payer, ip: '203.0.113.9' },
      }
      const { json } = await test.send('POST', '/transactions', { body: request })
      const code = Number((json.transaction as { code: string }).code)
      nowMs = NOW_MS + lifetimeMs - 1000
      expect(await expireUnpaid(test.parts)).toBe(0)
      nowMs += 2000
      expect(await expireUnpaid(test.parts)).toBe(1)
      expect(await statusOf(code)).toBe(status)
      expect(await round()).toBe(1)
    })

    it('does all of it when started, and stops', async () => {
      const code = await pay('order-1')
      await search(code)
      const worker = test.gateway.startWorker()
      await vi.waitFor(() => {
        expect(sent).toHaveLength(1)
      }, 60_000)
      await worker.stop()
      await pay('order-2')
      expect(sent).toHaveLength(1)
    })

    it('never sums refunds beyond the transaction, nor goes below zero', async () => {
      const code = await pay('order-1')
      const ask = (amount: number) =>
        test.send('POST', '/refunds', {
          body: { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds', amount },
        })
      const answers: number[] = []
      for (const amount of [60, 50, 40, 0.01]) {
        answers.push((await ask(amount)).status)
        await processRefunds(test.parts)
      }
      expect(answers).toEqual([201, 422, 201, 422])
      const refunded = await test.database.reader.selectFrom('refunds').select('amount').execute()
      expect(refunded.reduce((sum, { amount }) => sum + amount, 0)).toBe(minorUnits(10_000))
    })
  })
}
