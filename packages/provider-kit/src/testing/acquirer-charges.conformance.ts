// One charge under one name, certain only if the acquirer's answer is.
import { minorUnits, paymentReference } from '@cofre/contracts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endCalls, stopCallTime } from '../../test/call-time.js'
import { CHARGED, KEY, approvedId, untilKnown } from '../../test/payments.js'
import {
  AT_THE_DOOR,
  type Conclusion,
  type Failure,
  NOT_UNDERSTOOD,
  effectOf,
  failuresOf,
  jsonOf,
} from './acquirer-failures.conformance.js'
import { REFERENCE, type Stage, attemptsBefore, shopOf } from './acquirer-stage.conformance.js'

const OTHER_KEY = { ...KEY, transactionCode: '1043' }

export function describeCharges(stage: Stage): void {
  const { driver } = stage
  const { authorize, charge, tally } = shopOf(stage)

  describe('a charge', () => {
    it('of an approved card is made as it was asked for, and named', async () => {
      const paymentId = expect.stringMatching(/./) as string
      expect(await charge()).toMatchObject({
        kind: 'done',
        value: { outcome: 'approved', payment: { paymentId } },
      })
      expect(tally()).toMatchObject({ attempts: 1, charges: 1, chargedMinor: CHARGED })
      expect(stage.at.installmentsOf(REFERENCE)).toBe(stage.orderOf().installments)
    })

    it('of a declined card has the reason, and charges nothing', async () => {
      expect(await authorize(driver.declined.order)).toMatchObject({
        kind: 'done',
        value: { outcome: 'declined', decline: { reason: driver.declined.reason } },
      })
      expect(tally()).toMatchObject({ charges: 0 })
    })

    it('of another order is another charge', async () => {
      const first = approvedId(await charge())
      const amountMinor = minorUnits(7700)
      const other = approvedId(await charge({ key: OTHER_KEY, amountMinor, installments: 1 }))
      expect([first, other]).not.toContain('')
      expect(other).not.toBe(first)
      const reference = paymentReference(OTHER_KEY)
      expect(stage.at.tallyOf(reference)).toMatchObject({ charges: 1, chargedMinor: amountMinor })
      expect(stage.at.installmentsOf(reference)).toBe(1)
      expect(tally()).toMatchObject({ charges: 1, chargedMinor: CHARGED })
    })

    it.each(['before', 'after'] as const)(
      'is made once when its answer is cut %s it was booked',
      async (when) => {
        stage.at.disturbances.add({ effect: { kind: 'cut', when }, on: driver.isCharge })
        expect(await authorize()).toMatchObject({ kind: 'unknown' })
        const earlier = { firstAtMs: stage.at.clock.now(), absentSinceMs: undefined }
        const answer = await untilKnown(stage.at.clock, (last) =>
          authorize({ earlier: last ?? earlier }),
        )
        expect(answer).toMatchObject({ kind: 'done', value: { outcome: 'approved' } })
        expect(tally()).toMatchObject({ charges: 1 })
      },
    )

    it('is made once, however often it is requested under one key', async () => {
      const paymentId = approvedId(await charge())
      const earlier = { firstAtMs: stage.at.clock.now(), absentSinceMs: undefined }
      expect(approvedId(await authorize({ earlier }))).toBe(paymentId)
      expect(tally()).toMatchObject({ charges: 1 })
    })

    it('that takes too long may have been made', async () => {
      onTestFinished(stopCallTime())
      stage.at.disturbances.add({ effect: { kind: 'late', delayMs: 400 }, on: driver.isCharge })
      const asked = authorize()
      await expect.poll(() => tally().charges).toBe(1)
      endCalls()
      expect(await asked).toMatchObject({ kind: 'unknown' })
    })
  })

  describe('a first charge that is answered', () => {
    const refusal = driver.refusal('wrong request')
    const { doubtful } = driver
    const answers: readonly (readonly [string, Failure, Conclusion])[] = [
      ['a refusal in its own words', jsonOf(refusal.status, refusal.body), { kind: 'refused' }],
      ['a doubt in its own words', jsonOf(doubtful.status, doubtful.body), { kind: 'unknown' }],
      ...AT_THE_DOOR,
      ...NOT_UNDERSTOOD.map(([name, failure]) => [name, failure, { kind: 'unknown' }] as const),
    ]
    it.each(answers)(
      'with %s has the answer’s result, and no more',
      async (_, failure, expected) => {
        stage.at.disturbances.add({ effect: effectOf(failure), on: driver.isCharge })
        expect(await authorize()).toMatchObject(expected)
        expect(tally()).toMatchObject({ charges: 0 })
      },
    )
  })

  // A certain answer lets the vault ask another account.
  describe('a charge that is asked for again, and answered', () => {
    it.each(failuresOf(driver))('with %s may have been made before', async (_, failure) => {
      const effect = effectOf(failure)
      stage.at.disturbances.add({ effect, on: driver.isCharge })
      const earlier = attemptsBefore(stage.at.clock)
      expect(await authorize({ earlier })).toMatchObject({ kind: 'unknown' })
      stage.at.disturbances.clear()
      stage.at.disturbances.add({ effect, times: 9 })
      expect(await authorize({ earlier })).toMatchObject({ kind: 'unknown' })
      expect(tally()).toMatchObject({ charges: 0 })
    })
  })
}
