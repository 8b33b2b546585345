import { DAY_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import type {
  AuthorizeRequest,
  CancelRequest,
  CaptureRequest,
  RefundRequest,
} from '@cofre/provider-kit/card'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestCielo, openTestCielo } from '../../test/simulated-cielo.js'
import { APPROVED_CARD, sandboxCard } from '../../test/cielo-stage.js'
import {
  CHARGED,
  KEY,
  type TestClock,
  type TestConnection,
  connectionTo,
  order,
  untilKnown,
  approvedId,
  pauseAfter,
} from '../../../../provider-kit/test/payments.js'
import { CIELO } from './cielo-provider.js'

let cielo: TestCielo
let connection: TestConnection
let clock: TestClock
beforeEach(async () => {
  cielo = await openTestCielo()
  const { clock: shared } = cielo
  clock = { now: () => shared.now(), advance: (ms) => (shared.advance(ms), undefined) }
  const { merchantId, merchantKey } = cielo.credentials
  connection = connectionTo(CIELO, {
    origin: `https://127.0.0.1:${cielo.apiPort}`,
    queryOrigin: `https://127.0.0.1:${cielo.queryPort}`,
    caPem: cielo.authority,
    answers: { merchantId, merchantKey },
    clock,
  })
})
afterEach(async () => {
  await connection.acquirer.close()
  await cielo.close()
  expect(connection.printed.join()).not.toContain('402400715376319')
})

const REFERENCE = 'cofrep1042'
const PART = minorUnits(4000)
/** The next day in São Paulo, at any hour: clocks may differ by minutes. */
const TOMORROW_MS = DAY_MS + 10 * MINUTE_MS
const authorize = (changes: Partial<AuthorizeRequest> = {}) =>
  connection.acquirer.authorize(order({ card: sandboxCard(APPROVED_CARD), ...changes }))
async function charge(earlier?: AuthorizeRequest['earlier']): Promise<RefundRequest> {
  const result = await authorize({ earlier })
  return {
    key: KEY,
    earlier: undefined,
    refundId: '7',
    paymentId: approvedId(result),
    chargedMinor: CHARGED,
    chargedAtMs: clock.now(),
    returnedBeforeMinor: minorUnits(0),
    amountMinor: PART,
  }
}
const saleId = () => [...cielo.cielo.book.sales.keys()][0] ?? ''
/** A charge that is captured later, in part. */
async function authorizeAlone() {
  await authorize({ isCapturedLater: true })
  return async (changes: Partial<CaptureRequest> = {}) =>
    await connection.acquirer.capture!({
      key: KEY,
      earlier: undefined,
      paymentId: saleId(),
      authorizedMinor: CHARGED,
      amountMinor: PART,
      orderedAtMs: 0,
      ...changes,
    })
}
const release = (changes: Partial<CancelRequest> = {}) =>
  connection.acquirer.cancel({
    key: KEY,
    earlier: undefined,
    paymentId: saleId(),
    chargedMinor: CHARGED,
    chargedAtMs: clock.now(),
    isUncaptured: true,
    ...changes,
  })
const cut = (on: RegExp, when: 'before' | 'after') => {
  cielo.cielo.disturbances.add({
    effect: { kind: 'cut', when },
    on: ({ method, path }) => on.test(`${method} ${path}`),
  })
}
const tally = () => cielo.cielo.tallyOf(REFERENCE)

describe('against the simulated Cielo', () => {
  it.each(['before', 'after'] as const)(
    'all is made once when answers are cut %s it has booked',
    async (when) => {
      cut(/^POST/, when)
      await untilKnown(clock, (earlier) => authorize({ earlier }))
      const refund = await charge({ firstAtMs: clock.now(), absentSinceMs: undefined })
      clock.advance(TOMORROW_MS)
      cut(/void/, when)
      const refunded = await untilKnown(clock, (earlier) =>
        connection.acquirer.refund({ ...refund, earlier }),
      )
      expect(refunded).toMatchObject({ value: { state: 'done' } })
      expect(tally()).toMatchObject({ charges: 1, refunds: 1, refundedMinor: 4000 })
    },
  )

  it.each(['before', 'after'] as const)(
    'a later capture is made once when its answer is cut %s Cielo has booked',
    async (when) => {
      const capture = await authorizeAlone()
      cut(/capture/, when)
      expect(await untilKnown(clock, (earlier) => capture({ earlier }))).toMatchObject({
        value: { state: 'done' },
      })
      expect(tally()).toMatchObject({ captures: 1, capturedMinor: PART, refunds: 0, cancels: 0 })
      expect(await release()).toMatchObject({ value: { state: 'refused', reason: 'captured' } })
      clock.advance(TOMORROW_MS)
      expect(await release()).toMatchObject({ value: { state: 'refused', reason: 'captured' } })
      expect(tally()).toMatchObject({ captures: 1, refunds: 0, cancels: 0 })
    },
  )

  it.each(['before', 'after'] as const)(
    'a release is made once when its answer is cut %s Cielo has booked',
    async (when) => {
      const capture = await authorizeAlone()
      clock.advance(TOMORROW_MS)
      cut(/void/, when)
      expect(await untilKnown(clock, (earlier) => release({ earlier }))).toMatchObject({
        value: { state: 'done' },
      })
      expect(await capture()).toMatchObject({ value: { state: 'refused', reason: 'released' } })
      expect(tally()).toMatchObject({ captures: 0, refunds: 0, cancels: 1 })
    },
  )

  it.each(['by its clock', 'at once'] as const)(
    'an authorization that expires %s is not captured',
    async (how) => {
      const capture = await authorizeAlone()
      if (how === 'at once') cielo.cielo.controls.expire(saleId())
      else clock.advance(7 * DAY_MS + 1)
      expect(await capture()).toMatchObject({ value: { state: 'refused', reason: 'released' } })
      const find = { key: KEY, paymentId: saleId(), amountMinor: CHARGED, brand: 'visa' }
      expect(await connection.acquirer.find?.(find)).toMatchObject({
        value: { state: 'returned', capturedMinor: 0 },
      })
      expect(await release()).toMatchObject({ value: { state: 'done' } })
      expect(tally()).toMatchObject({ captures: 0, cancels: 0 })
    },
  )

  it('a captured part is refunded from the day after its capture, and no more', async () => {
    const capture = await authorizeAlone()
    clock.advance(3 * DAY_MS)
    await capture()
    const refund = {
      key: KEY,
      earlier: undefined,
      refundId: '7',
      paymentId: saleId(),
      chargedMinor: PART,
      chargedAtMs: clock.now(),
      returnedBeforeMinor: minorUnits(0),
      amountMinor: PART,
    }
    expect(await connection.acquirer.refund(refund)).toMatchObject({
      value: { state: 'too_early' },
    })
    clock.advance(TOMORROW_MS)
    const more = { ...refund, amountMinor: minorUnits(4001) }
    expect(await connection.acquirer.refund(more)).toMatchObject({
      value: { state: 'refused', reason: 'amount_exceeds_payment' },
    })
    expect(await connection.acquirer.refund(refund)).toMatchObject({ value: { state: 'done' } })
    expect(tally()).toMatchObject({ capturedMinor: 4000, refundedMinor: 4000 })
  })

  it('a request that is found late is charged once', async () => {
    cielo.cielo.conditions.queryLagMs = MINUTE_MS - 1000
    cut(/^POST/, 'after')
    expect(await untilKnown(clock, (earlier) => authorize({ earlier }))).toMatchObject({
      kind: 'done',
      value: { outcome: 'approved', surplus: [] },
    })
    expect(tally()).toMatchObject({ charges: 1 })
  })

  it('refunds in parts until nothing is left, and no more', async () => {
    const first = await charge()
    expect(await connection.acquirer.refund(first)).toMatchObject({ value: { state: 'too_early' } })
    clock.advance(TOMORROW_MS)
    expect(await connection.acquirer.refund(first)).toMatchObject({ value: { state: 'done' } })
    const rest = {
      ...first,
      refundId: '8',
      returnedBeforeMinor: PART,
      amountMinor: minorUnits(8990),
    }
    // Cielo requires five seconds between two voids: a refused one is looked up and repeated.
    const second = await untilKnown(clock, (earlier) =>
      connection.acquirer.refund({ ...rest, earlier }),
    )
    expect(second).toMatchObject({ value: { state: 'done' } })
    clock.advance(MINUTE_MS)
    expect(await connection.acquirer.refund({ ...rest, refundId: '9' })).toMatchObject({
      value: { state: 'refused' },
    })
    expect(tally()).toMatchObject({ charges: 1, refundedMinor: CHARGED })
  })

  it('a store without a balance refunds nothing', async () => {
    const refund = await charge()
    clock.advance(TOMORROW_MS)
    cielo.cielo.conditions.refunds = 'no-balance'
    expect(await connection.acquirer.refund(refund)).toMatchObject({
      value: { state: 'refused', reason: 'balance_too_low' },
    })
  })

  it('a part that is not settled waits for the next day, as a new refund', async () => {
    const refund = await charge()
    clock.advance(TOMORROW_MS)
    cielo.cielo.conditions.refunds = 'not-settled'
    const early = await connection.acquirer.refund(refund)
    expect(early).toMatchObject({ value: { state: 'too_early' } })
    clock.advance(pauseAfter(early))
    cielo.cielo.conditions.refunds = 'from-next-day'
    expect(await connection.acquirer.refund(refund)).toMatchObject({ value: { state: 'done' } })
  })

  it('a refund that is done and answered as a failure is not made twice', async () => {
    const refund = await charge()
    clock.advance(TOMORROW_MS)
    cielo.cielo.conditions.refunds = 'done-unsaid'
    const end = await untilKnown(clock, (earlier) =>
      connection.acquirer.refund({ ...refund, earlier }),
    )
    expect(end).toMatchObject({ value: { state: 'done' } })
    expect(tally()).toMatchObject({ charges: 1, refunds: 1 })
  })

  it('a cancel waits for the next day, and then undoes the whole', async () => {
    const { paymentId, chargedAtMs } = await charge()
    const cancel = { key: KEY, earlier: undefined, paymentId, chargedMinor: CHARGED, chargedAtMs }
    const early = await connection.acquirer.cancel(cancel)
    expect(early).toMatchObject({ value: { state: 'too_early' } })
    clock.advance(pauseAfter(early))
    expect(await connection.acquirer.cancel(cancel)).toMatchObject({ value: { state: 'done' } })
    const find = { key: KEY, paymentId: undefined, amountMinor: CHARGED, brand: 'visa' }
    expect(await connection.acquirer.find?.(find)).toMatchObject({
      value: { state: 'returned', returnedMinor: CHARGED },
    })
  })

  it('later changes of a sale are hinted at, and found', async () => {
    const { paymentId } = await charge()
    cielo.cielo.controls.chargeBack(paymentId, 5000)
    const hints = (await cielo.notices()).map((body) => connection.notices.read(body))
    expect(hints.at(-1)).toEqual({ kind: 'hints', paymentIds: [paymentId] })
    const find = { key: KEY, paymentId, amountMinor: CHARGED, brand: 'visa' }
    expect(await connection.acquirer.find?.(find)).toMatchObject({
      value: { state: 'approved', disputes: [{ amountMinor: 5000 }] },
    })
  })

  it('an unfinished sale stays unknown until Cielo ends it', async () => {
    const card = sandboxCard('4024007153763199')
    expect(await authorize({ card })).toMatchObject({ kind: 'unknown' })
    const earlier = { firstAtMs: clock.now(), absentSinceMs: undefined }
    expect(await authorize({ card, earlier })).toMatchObject({ kind: 'unknown' })
    const [sale] = cielo.cielo.book.sales.values()
    cielo.cielo.controls.endSale(sale?.paymentId ?? '', 'authorized')
    expect(await authorize({ card, earlier })).toMatchObject({ value: { outcome: 'approved' } })
    expect(tally()).toMatchObject({ attempts: 1, charges: 1 })
  })

  it('its credentials are checked without a charge', async () => {
    expect(await connection.steps[0]?.run()).toMatchObject({ isDone: true })
    const answers = { merchantId: cielo.credentials.merchantId, merchantKey: 'A'.repeat(40) }
    const origin = `https://127.0.0.1:${cielo.apiPort}`
    const queryOrigin = `https://127.0.0.1:${cielo.queryPort}`
    const place = { origin, queryOrigin, caPem: cielo.authority, answers, clock }
    const wrong = connectionTo(CIELO, place)
    expect(await wrong.steps[0]?.run()).toMatchObject({ isDone: false })
    expect(
      await wrong.acquirer.authorize(order({ card: sandboxCard(APPROVED_CARD) })),
    ).toMatchObject({ kind: 'not-sent', cause: 'login' })
    await wrong.acquirer.close()
    expect(tally()).toMatchObject({ attempts: 0 })
  })
})
