import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ACKNOWLEDGED } from '../../gateway/src/gateway.fixture.js'
import type { OutgoingNotification } from './model/sending.js'
import { FAILED, INTERVAL_MS, type Rounds, openRounds } from './rounds.fixture.js'

const isOfRefund = ({ url }: OutgoingNotification) => url.endsWith('/refunds')
const idsOf = (sent: readonly OutgoingNotification[]) =>
  sent.map(({ headers }) => headers['webhook-id'])

for (const engine of TEST_ENGINES) {
  describe(`The order of a transaction's notifications on ${engine.name}`, () => {
    let rounds: Rounds
    beforeEach(async () => (rounds = await openRounds(engine)))
    afterEach(() => rounds.test.close())

    it('is kept among its statuses, even if a refund notice is refused', async () => {
      const code = await rounds.pay('order-1')
      await rounds.test.send('GET', `/transactions/${code}`)
      await rounds.rounds()
      await rounds.rejectRefund(code)
      rounds.answer = (notification) => (isOfRefund(notification) ? FAILED : ACKNOWLEDGED)
      expect(idsOf(await rounds.rounds())).toEqual([`${code}-2`])

      const { transactions } = rounds.test.parts
      await transactions.changeStatus(code, { to: 'CHARGEBACK', atMs: rounds.nowMs })
      expect(idsOf(await rounds.rounds())).toEqual([`${code}-3`])
      rounds.nowMs += INTERVAL_MS
      expect(idsOf(await rounds.rounds())).toEqual([`${code}-2`])
    })

    it('is kept among its refunds, even if a status is refused', async () => {
      const code = await rounds.pay('order-1')
      rounds.answer = (notification) => (isOfRefund(notification) ? ACKNOWLEDGED : FAILED)
      await rounds.rounds()
      await rounds.rejectRefund(code)
      expect(idsOf(await rounds.rounds())).toEqual([`${code}-2`])
      await rounds.rejectRefund(code)
      expect(idsOf(await rounds.rounds())).toEqual([`${code}-3`])

      rounds.answer = () => FAILED
      await rounds.rejectRefund(code)
      await rounds.rejectRefund(code)
      expect(idsOf(await rounds.rounds())).toEqual([`${code}-4`])
      rounds.answer = () => ACKNOWLEDGED
      rounds.nowMs += INTERVAL_MS
      expect(idsOf(await rounds.rounds()).toSorted()).toEqual([
        `${code}-1`,
        `${code}-4`,
        `${code}-5`,
      ])
    })

    it('lets a resend wait for nothing of the other kind', async () => {
      const code = await rounds.pay('order-1')
      await rounds.test.send('GET', `/transactions/${code}`)
      await rounds.rejectRefund(code)
      await rounds.rounds()
      const { notifications } = rounds.test.deliveries
      await notifications.resend(code, 1, rounds.nowMs)
      await notifications.resend(code, 2, rounds.nowMs)
      rounds.answer = (notification) => (isOfRefund(notification) ? ACKNOWLEDGED : FAILED)
      expect(idsOf(await rounds.rounds()).toSorted()).toEqual([`${code}-1`, `${code}-2`])
    })

    it('lets a COMPLETE that is acknowledged wait for its search when a refund was rejected', async () => {
      const code = await rounds.pay('order-1')
      await rounds.rounds()
      await rounds.rejectRefund(code)
      expect(idsOf(await rounds.rounds())).toEqual([`${code}-2`])
      rounds.nowMs += INTERVAL_MS
      expect(idsOf(await rounds.rounds())).toEqual([`${code}-1`])
      await rounds.test.send('GET', `/transactions/${code}`)
      rounds.nowMs += DAY_MS
      expect(await rounds.rounds()).toEqual([])
    })
  })
}
