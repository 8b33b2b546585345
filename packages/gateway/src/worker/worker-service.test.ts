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
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'
import type { OutgoingNotification, SendResult } from '../model/notification/notification.js'
import { claimNotifications, deliver } from '../payment/notification-service.js'
import type { PaymentRails } from '../model/payment-rail/payment-rails.js'
import { processRefunds } from '../payment/refund-service.js'
import { expireUnpaid } from '../payment/expiry-service.js'
import { askAfterOpenCharges, askAfterOpenIntents } from '../payment/open-intent-service.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import { startWorker } from './worker-service.js'
import { withOperator } from '../../../operator/src/operator.fixture.js'

const INTERVAL_MS = 10 * MINUTE_MS

for (const engine of TEST_ENGINES) {
  describe(`The worker on ${engine.name}`, () => {
    let test: TestGateway
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
      test = await openTestGateway(engine, {
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
      const claimed = await claimNotifications(test.parts, 100)
      await Promise.all(claimed.map((notification) => deliver(test.parts, notification)))
      return claimed.length
    }

    it('notifies the shop of a paid transaction, signed', async () => {
      const code = await pay('order-1')
      await round()
      expect(sent).toMatchObject([
        {
          url: 'https://shop.example/notifications',
          body: `transaction-code=${code}&notification-type=transaction`,
          headers: {
            'Content-Type': 'application/x-www-form-urlencoded',
            'webhook-id': `${code}-1`,
            'webhook-signature': expect.stringMatching(/^v1,/) as string,
          },
        },
      ])
    })

    it('repeats a COMPLETE notification every 10 minutes until the search was made', async () => {
      const code = await pay('order-1')
      expect(await round()).toBe(1)
      nowMs += INTERVAL_MS - 1
      expect(await round()).toBe(0)
      nowMs += 1
      expect(await round()).toBe(1)
      await search(code)
      nowMs += DAY_MS
      expect(await round()).toBe(0)
    })

    it('lets a notification rest at its 200 when the search came first', async () => {
      await search(await pay('order-1'))
      expect(await round()).toBe(1)
      nowMs += DAY_MS
      expect(await round()).toBe(0)
    })

    it.each([
      ['a 500', { statusCode: 500 }],
      ['a 204', { statusCode: 204 }],
      ['a time-out', { error: 'timeout' }],
    ] as const)('repeats after %s, and keeps every attempt', async (_, failure) => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
      const code = await pay('order-1')
      receive = () => Promise.resolve({ durationMs: 7, responseExcerpt: 'oops', ...failure })
      await round()
      nowMs += INTERVAL_MS
      receive = () => Promise.resolve(ACKNOWLEDGED)
      expect(await round()).toBe(1)
      nowMs += DAY_MS
      expect(await round()).toBe(0)
      expect(await test.parts.notifications.attemptsOf(code)).toMatchObject([
        { position: 1, atMs: NOW_MS, durationMs: 7, responseExcerpt: 'oops', ...failure },
        { position: 1, atMs: NOW_MS + INTERVAL_MS, statusCode: 200 },
      ])
    })

    it('repeats an interval after an attempt was sent, however late its answer came', async () => {
      await pay('order-1')
      receive = () => {
        nowMs += 5 * MINUTE_MS
        return Promise.resolve({ statusCode: 500, durationMs: 1, responseExcerpt: '' })
      }
      await round()
      nowMs = NOW_MS + INTERVAL_MS - 1
      expect(await round()).toBe(0)
      nowMs++
      expect(await round()).toBe(1)
    })

    it('notifies of a transaction’s changes in order, each after the one before was accepted', async () => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'review' }))
      const code = await pay('order-1')
      await test.parts.transactions.changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
      receive = () => Promise.resolve({ statusCode: 500, durationMs: 1, responseExcerpt: '' })
      expect(await round()).toBe(1)
      expect(await round()).toBe(0)
      nowMs += INTERVAL_MS
      receive = () => Promise.resolve(ACKNOWLEDGED)
      expect(await round()).toBe(1)
      expect(await round()).toBe(1)
      const ids = sent.map(({ headers }) => headers['webhook-id'])
      expect(ids).toEqual([`${code}-1`, `${code}-1`, `${code}-2`])
    })

    it('gives a notification to one of two workers, and to another when the first died', async () => {
      await pay('order-1')
      const [first, second] = await Promise.all([
        claimNotifications(test.parts, 10),
        claimNotifications(test.parts, 10),
      ])
      expect(first.length + second.length).toBe(1)
      expect(await claimNotifications(test.parts, 10)).toHaveLength(0)
      nowMs += MINUTE_MS
      expect(await claimNotifications(test.parts, 10)).toHaveLength(1)
    })

    it('does not let the backlog of one store stand before another', async () => {
      const other = { ...MERCHANT, id: 'store-2' }
      await test.gateway.saveMerchant(other)
      await pay('order-0')
      await round()
      for (let i = 1; i <= 40; i++) await pay(`order-${i}`)
      await test.send('POST', '/transactions', { body: cardRequest('order-1'), merchant: other })
      const claimed = await claimNotifications(test.parts, 4)
      expect(claimed.map(({ merchantId }) => merchantId)).toContain('store-2')
      expect(claimed).toHaveLength(4)
    })

    it('reports which stores do not answer, and for how long', async () => {
      const { notifications } = test.parts
      await pay('order-1')
      await pay('order-2')
      expect(await notifications.backlog()).toEqual([
        {
          merchantId: 'store-1',
          waiting: 2,
          oldestMs: NOW_MS,
          refusedSinceMs: undefined,
          unsentSinceMs: NOW_MS,
          isFailing: false,
          isProbed: false,
        },
      ])
      expect(await notifications.lastRefusal('store-1')).toBeUndefined()
      receive = () => Promise.resolve({ statusCode: 500, durationMs: 1, responseExcerpt: '' })
      await round()
      nowMs += INTERVAL_MS
      await round()
      expect(await notifications.backlog()).toEqual([
        {
          merchantId: 'store-1',
          waiting: 2,
          oldestMs: NOW_MS,
          refusedSinceMs: NOW_MS,
          unsentSinceMs: undefined,
          isFailing: true,
          isProbed: false,
        },
      ])
      expect(await notifications.lastRefusal('store-1')).toEqual({
        atMs: nowMs,
        statusCode: 500,
        error: undefined,
      })
      nowMs += INTERVAL_MS
      receive = () => Promise.resolve(ACKNOWLEDGED)
      await round()
      expect(await notifications.backlog()).toEqual([])
    })

    it('sends a notification again by hand', async () => {
      const code = await pay('order-1')
      await search(code)
      await round()
      const { notifications } = test.parts
      expect(await notifications.resend(code, 1, nowMs)).toBe(true)
      expect(await notifications.resend(code, 9, nowMs)).toBe(false)
      expect(await round()).toBe(1)
    })

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
          // The acquirer has answered, so its report is awaited, and it is asked no more.
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
      let tellNothing: (answer: undefined) => void = () => undefined
      let isAsked = false
      test.recallCards(() => {
        isAsked = true
        return new Promise((resolve) => (tellNothing = resolve))
      })
      const asking = askAfterOpenIntents(test.parts)
      await vi.waitUntil(() => isAsked, 60_000)
      loseAnswer(new Error('connection reset'))
      const code = await paying
      tellNothing(undefined)
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

    it('gives up a charge that its bank did not open, and says so', async () => {
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
      expect(test.logged.join()).toContain('an open intent was given up')
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
      const worker = startWorker(test.parts)
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
