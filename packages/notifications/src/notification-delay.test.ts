import { SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPROVED, cardRequest } from '../../gateway/src/gateway.fixture.js'
import type { TransactionCode } from '@cofre/gateway/room'
import { askAfterOpenIntents } from '../../gateway/src/payment/open-intent-service.js'
import { INTERVAL_MS, type Rounds, openRounds } from './rounds.fixture.js'

const DELAY_MS = 3 * SECOND_MS

for (const engine of TEST_ENGINES) {
  describe(`A status in the response to a creation, on ${engine.name}`, () => {
    let rounds: Rounds
    beforeEach(async () => (rounds = await openRounds(engine, { notifyDelayMs: DELAY_MS })))
    afterEach(() => rounds.test.close())

    const create = async (reference: string): Promise<TransactionCode> => {
      const { json } = await rounds.test.send('POST', '/transactions', {
        body: cardRequest(reference),
      })
      return Number((json.transaction as { code: string }).code) as TransactionCode
    }
    /** The number of notifications that are sent now, and that of those sent after the delay. */
    const sentNowAndLater = async (): Promise<number[]> => {
      const now = await rounds.rounds()
      rounds.nowMs += DELAY_MS - 1
      expect(await rounds.rounds()).toEqual([])
      rounds.nowMs += 1
      return [now.length, (await rounds.rounds()).length]
    }

    it.each(['approved', 'declined', 'review'] as const)(
      'is notified when the shop has had time to write its order: %s',
      async (outcome) => {
        rounds.test.answerCards(() => Promise.resolve({ ...APPROVED, outcome }))
        await create('order-1')
        expect(await sentNowAndLater()).toEqual([0, 1])
      },
    )

    it('is notified after the delay if unknown, and its outcome at once', async () => {
      rounds.test.answerCards(() => Promise.reject(new Error('connection reset')))
      await create('order-1')
      expect(await sentNowAndLater()).toEqual([0, 1])
      rounds.test.recallCards(() => ({ ...APPROVED, outcome: 'declined' }))
      rounds.nowMs += INTERVAL_MS
      await askAfterOpenIntents(rounds.test.parts)
      expect(await rounds.rounds()).toHaveLength(1)
    })

    it('is not what a worker learns that no response had', async () => {
      const { transactions } = rounds.test.parts
      const insertIntent = transactions.insertIntent.bind(transactions)
      let code: TransactionCode | undefined
      transactions.insertIntent = (intent, limits) => {
        code = intent.code
        return insertIntent(intent, limits)
      }
      rounds.test.answerCards(() => new Promise(() => undefined))
      void create('order-1').catch(() => undefined)
      await expect.poll(() => code && transactions.findByCode(code)).toBeDefined()
      rounds.test.recallCards(() => APPROVED)
      rounds.nowMs += INTERVAL_MS
      await askAfterOpenIntents(rounds.test.parts)
      expect(await rounds.rounds()).toHaveLength(1)
    })

    it('comes before a newer one of the same moment', async () => {
      rounds.test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'review' }))
      const code = await create('order-1')
      const { transactions } = rounds.test.parts
      await transactions.changeStatus(code, { to: 'CANCELLED', atMs: rounds.nowMs })
      expect(await sentNowAndLater()).toEqual([0, 2])
      const ids = rounds.sent.map(({ headers }) => headers['webhook-id'])
      expect(ids).toEqual([`${code}-1`, `${code}-2`])
    })

    it('does not delay a later change', async () => {
      const code = await rounds.decline('order-1')
      await sentNowAndLater()
      await rounds.test.gateway.notifications.notifyAgain(code, 'CANCELLED')
      expect(await rounds.rounds()).toHaveLength(1)
    })
  })
}
