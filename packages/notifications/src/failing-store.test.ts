import { DAY_MS, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ACKNOWLEDGED, MERCHANT } from '../../gateway/src/gateway.fixture.js'
import { claimNotifications } from './notification-delivery.js'
import { FAILED, INTERVAL_MS, type Rounds, openRounds } from './rounds.fixture.js'
import { withOperator } from '../../operator/src/operator.fixture.js'

/** More than a failing store is sent. */
const MANY = 12

for (const engine of TEST_ENGINES) {
  describe(`A store that fails, on ${engine.name}`, () => {
    let rounds: Rounds
    beforeEach(async () => {
      rounds = await openRounds(engine)
      rounds.answer = () => FAILED
    })
    afterEach(() => rounds.test.close())

    const orders = async (count: number, prefix = 'order'): Promise<void> => {
      for (let i = 1; i <= count; i++) await rounds.decline(`${prefix}-${i}`)
    }
    /** Refuses every notification for more than an hour. */
    const failForLong = async (): Promise<void> => {
      for (let attempt = 0; attempt <= 6; attempt++) {
        await rounds.rounds()
        rounds.nowMs += INTERVAL_MS
      }
    }

    it('is sent each notification every ten minutes, for as long as it takes', async () => {
      await rounds.decline('order-1')
      for (const ageMs of [0, HOUR_MS, 3 * DAY_MS, 30 * DAY_MS, 365 * DAY_MS]) {
        rounds.nowMs += ageMs
        expect(await rounds.rounds()).toHaveLength(1)
        rounds.nowMs += INTERVAL_MS - 1
        expect(await rounds.rounds()).toHaveLength(0)
        rounds.nowMs += 1
        expect(await rounds.rounds()).toHaveLength(1)
        rounds.nowMs += INTERVAL_MS
      }
    })

    it('costs one request every ten minutes when it has failed for an hour, and one for each new notice', async () => {
      await orders(MANY)
      await failForLong()
      for (let i = 1; i <= 4; i++) {
        expect(await rounds.rounds()).toHaveLength(1)
        await rounds.decline(`later-${i}`)
        expect(await rounds.rounds()).toHaveLength(1)
        rounds.nowMs += INTERVAL_MS - 1
        expect(await rounds.rounds()).toHaveLength(0)
        rounds.nowMs += 1
      }
    })

    it('is probed by one of several workers', async () => {
      await orders(MANY)
      await failForLong()
      const { deliveries: deps } = rounds.test
      const claims = await Promise.all(
        Array.from({ length: 4 }, () => claimNotifications(deps, 100)),
      )
      expect(claims.flat()).toHaveLength(1)
    })

    it('is probed with each of what it has refused in turn, so that none keeps it failing', async () => {
      await orders(20)
      await failForLong()
      const probes = new Set<string | undefined>()
      for (let probe = 1; probe <= 15; probe++) {
        const sent = await rounds.rounds()
        expect(sent).toHaveLength(1)
        probes.add(sent[0]?.headers['webhook-id'])
        rounds.nowMs += INTERVAL_MS
      }
      expect(probes.size).toBeGreaterThanOrEqual(14)
    })

    // The rest are rules of the service; other suites run its statements on PostgreSQL.
    if (engine.name === 'postgres') return

    it('is sent all that waits at once when it accepts a probe', async () => {
      await orders(MANY)
      await failForLong()
      await orders(5, 'later')
      await rounds.rounds()
      rounds.nowMs += INTERVAL_MS
      rounds.answer = () => ACKNOWLEDGED
      expect(await rounds.rounds()).toHaveLength(MANY + 5)
    })

    it('is sent a notification at once that is resent by hand', async () => {
      await orders(MANY)
      const code = await rounds.decline('order-by-hand')
      await failForLong()
      await rounds.rounds()
      rounds.nowMs += MINUTE_MS
      await rounds.test.deliveries.notifications.resend(code, 1, rounds.nowMs)
      const sent = await rounds.rounds()
      expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([`${code}-1`])
    })

    it('is shown what is held back, until it is sent a notification by hand and accepts it', async () => {
      await orders(MANY)
      const code = await rounds.decline('order-by-hand')
      const { backOffice } = withOperator(rounds.test).gateway
      const { notifications } = rounds.test.gateway
      const states = async () => {
        const { items } = await notifications.list(MERCHANT.id, { limit: 100 })
        return [...new Set(items.map(({ state }) => state))]
      }
      expect(await states()).toEqual(['waiting'])
      await failForLong()
      expect(await states()).toEqual(['held'])
      await rounds.rounds()
      await backOffice.changeStatus(MERCHANT.id, String(code), 'CANCELLED')
      rounds.answer = () => ACKNOWLEDGED
      await rounds.rounds()
      expect(await states()).toEqual(['done'])
    })

    it('keeps being sent each one when only a few wait', async () => {
      await orders(5)
      await failForLong()
      expect(await rounds.rounds()).toHaveLength(5)
    })

    it('does not wait for the clock to catch up when that was set back by a day', async () => {
      await orders(3)
      await rounds.rounds()
      rounds.nowMs -= DAY_MS
      rounds.answer = () => ACKNOWLEDGED
      expect(await rounds.rounds()).toHaveLength(3)
      expect(await rounds.rounds()).toHaveLength(0)
    })

    it('is sent what was never sent before the clock was set back by a day', async () => {
      await orders(3)
      rounds.nowMs -= DAY_MS
      await orders(3, 'later')
      expect(await rounds.rounds()).toHaveLength(6)
      expect(await rounds.rounds()).toHaveLength(0)
      rounds.nowMs += INTERVAL_MS
      expect(await rounds.rounds()).toHaveLength(6)
    })

    it('is probed on when the clock was set back by a day', async () => {
      await orders(MANY)
      await failForLong()
      rounds.nowMs -= DAY_MS
      expect(await rounds.rounds()).toHaveLength(1)
      rounds.nowMs += INTERVAL_MS - 1
      expect(await rounds.rounds()).toHaveLength(0)
      rounds.nowMs += 1
      rounds.answer = () => ACKNOWLEDGED
      expect(await rounds.rounds()).toHaveLength(MANY)
    })
  })
}
