// Money is returned once, and only the acquirer's own answer is certain.
import { describe, expect, it } from 'vitest'
import { CHARGED, untilKnown } from '../../test/payments.js'
import type { EarlierAttempts } from '../card/index.js'
import { NOT_UNDERSTOOD, effectOf, failuresOf } from './acquirer-failures.conformance.js'
import {
  PART,
  type Paid,
  type Stage,
  attemptsBefore,
  shopOf,
} from './acquirer-stage.conformance.js'

export function describeReturns(stage: Stage): void {
  describeRefunds(stage)
  describeCancels(stage)
}

/** Returned, or accepted for a return. */
const STATES = ['done', 'in_process']
const ON_ITS_WAY = {
  kind: 'done',
  value: { state: expect.toSatisfy((state) => STATES.includes(String(state))) as string },
}

function describeRefunds(stage: Stage): void {
  const { driver } = stage
  const { pay, refund, tally } = shopOf(stage)

  describe('a refund', () => {
    it('is made once under one name, also when its answer is lost', async () => {
      const payment = await pay()
      const { clock, disturbances } = stage.at
      disturbances.add({ effect: { kind: 'cut', when: 'after' }, on: driver.isRefund })
      const first = await untilKnown(clock, (earlier) => refund(payment, { earlier }))
      expect(first).toMatchObject(ON_ITS_WAY)
      expect(tally()).toMatchObject({ charges: 1, refunds: 1, refundedMinor: PART })
      clock.advance(60_000)
      const next = { refundId: '8', returnedBeforeMinor: PART }
      const second = await untilKnown(clock, (earlier) => refund(payment, { ...next, earlier }))
      expect(second).toMatchObject(ON_ITS_WAY)
      expect(tally()).toMatchObject({ refunds: 2, refundedMinor: 2 * PART })
    })

    it('that may have been made is not refused by a later answer', async () => {
      const payment = await pay()
      const { clock, disturbances } = stage.at
      const firstAtMs = clock.now()
      disturbances.add({ effect: { kind: 'cut', when: 'after' }, on: driver.isRefund })
      expect(await refund(payment)).toMatchObject({ kind: 'unknown' })
      const earlier = { firstAtMs, absentSinceMs: undefined }
      for (const [, failure] of failuresOf(driver)) {
        disturbances.add({ effect: effectOf(failure), times: 9 })
        expect(await refund(payment, { earlier })).toMatchObject({ kind: 'unknown' })
        disturbances.clear()
        // A limit may delay calls.
        clock.advance(60_000)
      }
      const last = await untilKnown(clock, (more) => refund(payment, { earlier: more ?? earlier }))
      expect(last).toMatchObject(ON_ITS_WAY)
      expect(tally()).toMatchObject({ refunds: 1, refundedMinor: PART })
    })

    it.each(NOT_UNDERSTOOD)('that is answered with %s may have been made', async (_, failure) => {
      const payment = await pay()
      stage.at.disturbances.add({ effect: effectOf(failure), on: driver.isRefund })
      expect(await refund(payment)).toMatchObject({ kind: 'unknown' })
    })

    it.each(failuresOf(driver))(
      'that is repeated, and answered with %s, may have been made before',
      async (_, failure) => {
        const payment = await pay()
        stage.at.disturbances.add({ effect: effectOf(failure), on: driver.isRefund })
        const earlier = attemptsBefore(stage.at.clock)
        expect(await refund(payment, { earlier })).toMatchObject({ kind: 'unknown' })
        expect(tally()).toMatchObject({ refunds: 0 })
      },
    )
  })
}

const WAYS = ['the acquirer’s name of the payment', 'our name of it alone'] as const

function describeCancels(stage: Stage): void {
  const { driver } = stage
  const { cancel, pay, tally } = shopOf(stage)

  describe.each(WAYS)('a cancel with %s', (way) => {
    const isNamed = way === WAYS[0]
    const named = (payment: Paid, earlier: EarlierAttempts | undefined) =>
      cancel(payment, { earlier, ...(!isNamed && { paymentId: undefined }) })
    const expectReturned = () => {
      const { cancels, refunds, refundedMinor } = tally()
      expect([cancels + refunds, cancels === 1 ? CHARGED : refundedMinor]).toEqual([1, CHARGED])
    }

    it('returns the whole', async () => {
      const payment = await pay()
      const before = (await stage.at.notices()).length
      const answer = await untilKnown(stage.at.clock, (earlier) => named(payment, earlier))
      expect(answer).toMatchObject(ON_ITS_WAY)
      if (isNamed || driver.cancelsUnnamed) expectReturned()
      // The acquirer requires the payment's id.
      else expect((await stage.at.notices()).length).toBeGreaterThan(before)
    })

    it('returns the whole once, also when an answer is lost', async () => {
      const payment = await pay()
      const isLost = { effect: { kind: 'cut', when: 'after' }, times: 2 } as const
      stage.at.disturbances.add(isLost)
      const answer = await untilKnown(stage.at.clock, (earlier) => named(payment, earlier))
      expect(answer).toMatchObject(ON_ITS_WAY)
      if (isNamed || driver.cancelsUnnamed) expectReturned()
    })

    it.each(NOT_UNDERSTOOD)('that is answered with %s may have been made', async (_, failure) => {
      const payment = await pay()
      stage.at.disturbances.add({ effect: effectOf(failure), times: 9 })
      expect(await named(payment, undefined)).toMatchObject({ kind: 'unknown' })
    })

    it.each(failuresOf(driver))(
      'that is repeated, and answered with %s, may have been made before',
      async (_, failure) => {
        const payment = await pay()
        stage.at.disturbances.add({ effect: effectOf(failure), times: 9 })
        const earlier = attemptsBefore(stage.at.clock)
        expect(await named(payment, earlier)).toMatchObject({ kind: 'unknown' })
      },
    )
  })
}
