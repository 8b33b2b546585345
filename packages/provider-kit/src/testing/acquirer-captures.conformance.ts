// An authorized payment is captured once, or released, never both.
import { minorUnits } from '@cofre/contracts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endCalls, stopCallTime } from '../../test/call-time.js'
import { CHARGED, KEY, approvedId, untilKnown } from '../../test/payments.js'
import type { AcquirerAnswer, AcquirerChange } from '../card/index.js'
import { NOT_UNDERSTOOD, effectOf, failuresOf } from './acquirer-failures.conformance.js'
import { PART, type Stage, attemptsBefore, shopOf } from './acquirer-stage.conformance.js'

const NOTHING = minorUnits(0)
const BRANDS = ['visa', 'mastercard', 'elo', 'amex']
/** Done, or accepted. */
const ON_ITS_WAY = {
  kind: 'done',
  value: { state: expect.stringMatching(/^(?:done|in_process)$/) as string },
}

export function describeCaptures(stage: Stage): void {
  const { provider, isCapture } = stage.driver
  if (isCapture === undefined) {
    it('captures every charge at once', () => {
      expect(stage.connection.acquirer.capture).toBeUndefined()
      expect(provider).not.toHaveProperty('captureDaysOf')
    })
    return
  }
  describeAuthorizations(stage)
  describeOnceCaptured(stage, isCapture)
  describeUnclearCaptures(stage, isCapture)
  describeReleases(stage)
}

function describeAuthorizations(stage: Stage): void {
  const { provider, isCharge } = stage.driver
  const { authorize, charge, hold, tally } = shopOf(stage)

  describe('a charge that is captured later', () => {
    it('is only authorized', async () => {
      const payment = await hold()
      expect(tally()).toMatchObject({ charges: 1, chargedMinor: CHARGED, captures: 0 })
      await expectFound(stage, payment.paymentId, { state: 'authorized', returnedMinor: NOTHING })
    })

    it('is authorized once, also when its answer is lost', async () => {
      stage.at.disturbances.add({ effect: { kind: 'cut', when: 'after' }, on: isCharge })
      const answer = await untilKnown(stage.at.clock, (earlier) =>
        authorize({ earlier, isCapturedLater: true }),
      )
      expect(approvedId(answer)).not.toBe('')
      expect(tally()).toMatchObject({ charges: 1, captures: 0 })
    })

    it('differs from others, which are captured at once', async () => {
      await charge()
      expect(tally()).toMatchObject({ charges: 1, captures: 1, capturedMinor: CHARGED })
    })

    it.each(BRANDS)('can be captured for days, or as the contract allows: %s', (brand) => {
      const days = (settings: object) => provider.captureDaysOf?.(brand, { ...settings })
      expect(days({})).toSatisfy((usual: number) => usual >= 1 && usual < 30)
      expect(days({ captureDays: '3' })).toBe(3)
    })
  })
}

function describeOnceCaptured(stage: Stage, isCapture: NonNullable<Stage['driver']['isCapture']>) {
  const { capture, hold, refund, release, tally } = shopOf(stage)
  const untilCaptured = (...[payment, changes]: Parameters<typeof capture>) =>
    untilKnown(stage.at.clock, (earlier) => capture(payment, { earlier, ...changes }))

  describe('a capture', () => {
    it.each([
      ['all', CHARGED],
      ['a part', PART],
    ])('of %s is made as requested', async (_, amountMinor) => {
      const payment = await hold()
      expect(await untilCaptured(payment, { amountMinor })).toMatchObject(ON_ITS_WAY)
      expect(tally()).toMatchObject({ captures: 1, capturedMinor: amountMinor, cancels: 0 })
      await expectFound(stage, payment.paymentId, { state: 'approved', capturedMinor: amountMinor })
    })

    it.each(['before', 'after'] as const)(
      'is made once when its answer is cut %s it was booked',
      async (when) => {
        const payment = await hold()
        stage.at.disturbances.add({ effect: { kind: 'cut', when }, on: isCapture })
        expect(await untilCaptured(payment, { amountMinor: PART })).toMatchObject(ON_ITS_WAY)
        expect(tally()).toMatchObject({ captures: 1, capturedMinor: PART })
      },
    )

    it('is made once, however often it is requested', async () => {
      const payment = await hold()
      const firstAtMs = stage.at.clock.now()
      const first = await untilCaptured(payment)
      const earlier = { firstAtMs, absentSinceMs: undefined }
      const again = await untilKnown(stage.at.clock, (more) =>
        capture(payment, { earlier: more ?? earlier }),
      )
      expect(again).toMatchObject(first)
      expect(tally()).toMatchObject({ captures: 1, capturedMinor: CHARGED })
    })

    it('that takes too long may have been made', async () => {
      const payment = await hold()
      onTestFinished(stopCallTime())
      stage.at.disturbances.add({ effect: { kind: 'late', delayMs: 400 }, on: isCapture })
      const asked = capture(payment)
      await expect.poll(() => tally().captures).toBe(1)
      endCalls()
      expect(await asked).toMatchObject({ kind: 'unknown' })
    })

    it('is refused after a release', async () => {
      const payment = await hold()
      await untilKnown(stage.at.clock, (earlier) => release(payment, { earlier }))
      await expectRefused(stage, 'capture_refused', await untilCaptured(payment))
      expect(tally()).toMatchObject({ captures: 0, cancels: 1 })
    })

    it('of more than was authorized is refused', async () => {
      const payment = await hold()
      const amountMinor = minorUnits(CHARGED + 1)
      await expectRefused(stage, 'capture_refused', await untilCaptured(payment, { amountMinor }))
      expect(tally()).toMatchObject({ captures: 0 })
    })

    it('of an unknown payment is refused', async () => {
      const paymentId = 'd1b0f3a2-0c5e-4d1f-8a5e-2b7c9e6f1a34'
      const payment = { ...(await hold()), paymentId }
      expect(await untilCaptured(payment)).toMatchObject({
        value: { state: 'refused', reason: 'payment_not_found' },
      })
      expect(tally()).toMatchObject({ captures: 0 })
    })

    it('lets its amount be refunded', async () => {
      const payment = { ...(await hold()), chargedAtMs: stage.at.clock.now() }
      await untilCaptured(payment, { amountMinor: PART })
      stage.at.clock.advance(stage.driver.refundableAfterMs)
      await untilKnown(stage.at.clock, (earlier) => refund(payment, { earlier }))
      expect(tally()).toMatchObject({ captures: 1, refunds: 1, refundedMinor: PART })
    })
  })
}

function describeUnclearCaptures(
  stage: Stage,
  isCapture: NonNullable<Stage['driver']['isCapture']>,
) {
  const { capture, hold, tally } = shopOf(stage)

  describe('a capture that is answered', () => {
    it.each(NOT_UNDERSTOOD)('with %s may have been made', async (_, failure) => {
      const payment = await hold()
      stage.at.disturbances.add({ effect: effectOf(failure), on: isCapture })
      expect(await capture(payment)).toMatchObject({ kind: 'unknown' })
    })

    it.each(failuresOf(stage.driver))(
      'again, with %s, may have been made before',
      async (_, failure) => {
        const payment = await hold()
        stage.at.disturbances.add({ effect: effectOf(failure), times: 9 })
        const earlier = attemptsBefore(stage.at.clock)
        expect(await capture(payment, { earlier })).toMatchObject({ kind: 'unknown' })
        expect(tally()).toMatchObject({ captures: 0 })
      },
    )
  })
}

function describeReleases(stage: Stage): void {
  const { capture, hold, release, tally } = shopOf(stage)
  const untilReleased = (payment: Parameters<typeof release>[0]) =>
    untilKnown(stage.at.clock, (earlier) => release(payment, { earlier }))

  describe('a release', () => {
    it('cancels an authorization', async () => {
      const payment = await hold()
      expect(await untilReleased(payment)).toMatchObject(ON_ITS_WAY)
      expect(tally()).toMatchObject({ charges: 1, captures: 0, cancels: 1, refunds: 0 })
      await expectFound(stage, payment.paymentId, { state: 'returned' })
    })

    it('is made once, also when its answer is lost', async () => {
      const payment = await hold()
      stage.at.disturbances.add({ effect: { kind: 'cut', when: 'after' }, times: 2 })
      expect(await untilReleased(payment)).toMatchObject(ON_ITS_WAY)
      expect(tally()).toMatchObject({ captures: 0, cancels: 1 })
    })

    it('never undoes a captured payment', async () => {
      const payment = await hold()
      await untilKnown(stage.at.clock, (earlier) => capture(payment, { earlier }))
      await expectRefused(stage, 'cancel_failed', await untilReleased(payment))
      expect(tally()).toMatchObject({ captures: 1, capturedMinor: CHARGED, cancels: 0, refunds: 0 })
    })

    it.each(NOT_UNDERSTOOD)('that is answered with %s may have been made', async (_, failure) => {
      const payment = await hold()
      stage.at.disturbances.add({ effect: effectOf(failure), times: 9 })
      expect(await release(payment)).toMatchObject({ kind: 'unknown' })
    })

    it.each(failuresOf(stage.driver))(
      'that is repeated, and answered with %s, may have been made before',
      async (_, failure) => {
        const payment = await hold()
        stage.at.disturbances.add({ effect: effectOf(failure), times: 9 })
        const earlier = attemptsBefore(stage.at.clock)
        expect(await release(payment, { earlier })).toMatchObject({ kind: 'unknown' })
      },
    )
  })
}

async function expectFound(stage: Stage, paymentId: string, found: object): Promise<void> {
  if (!stage.driver.finds) return
  expect(await shopOf(stage).find({ key: KEY, paymentId })).toMatchObject({
    kind: 'done',
    value: found,
  })
}

/** A refusal is the answer, or the acquirer accepts the request and a notice brings the refusal. */
async function expectRefused(
  stage: Stage,
  change: AcquirerChange,
  answer: AcquirerAnswer<{ readonly state: string }>,
): Promise<void> {
  const state = answer.kind === 'done' ? answer.value.state : answer.kind
  if (stage.driver.finds) {
    expect(state).toBe('refused')
    return
  }
  expect(state).toBe('in_process')
  const events = (await stage.at.notices()).flatMap((body) => {
    const reading = stage.connection.notices.read(body)
    return reading.kind === 'events' ? reading.events : []
  })
  expect(events.at(-1)).toMatchObject({ change })
}
