import { DAY_MS, HOUR_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import type { EarlierAttempts, RefundRequest } from '@cofre/provider-kit/card'
import { beforeEach, describe, expect, it } from 'vitest'
import { cieloStage } from '../../test/cielo-stage.js'
import { REFUSALS_AT_THE_DOOR, lostAnswers } from '../../../../provider-kit/test/faulty-server.js'
import { CHARGED, KEY, untilKnown, approvedId } from '../../../../provider-kit/test/payments.js'

const stage = cieloStage()
const { authorize, attempts } = stage
const LOST = lostAnswers('4024 0071 5376 3191')
const PART = minorUnits(4000)

describe('a refund', () => {
  let refundOrder: RefundRequest
  beforeEach(async () => {
    const chargedAtMs = stage.clock.now()
    const paymentId = approvedId(await authorize())
    refundOrder = {
      key: KEY,
      earlier: undefined,
      refundId: '7',
      paymentId,
      chargedMinor: CHARGED,
      chargedAtMs,
      returnedBeforeMinor: minorUnits(0),
      amountMinor: PART,
    }
    stage.clock.advance(DAY_MS)
  })
  const refund = (changes: Partial<RefundRequest> = {}) =>
    stage.connection.acquirer.refund({ ...refundOrder, ...changes })

  it('is made in parts, and in whole', async () => {
    const done = { kind: 'done', value: { state: 'done', returnId: undefined } }
    expect(await refund()).toEqual(done)
    const rest = { refundId: '8', returnedBeforeMinor: PART, amountMinor: minorUnits(8990) }
    expect(await refund(rest)).toEqual(done)
    expect(stage.server.sales).toMatchObject([{ voids: [4000, 8990], status: 11 }])
  })

  it('waits for the day after the charge in São Paulo', async () => {
    // 15:00 UTC is noon there: the day ends twelve hours later.
    const chargedAtMs = stage.clock.now()
    const early = await refund({ chargedAtMs })
    expect(early).toMatchObject({
      value: { state: 'too_early', retryAfterMs: 12 * HOUR_MS + 10 * MINUTE_MS },
    })
    stage.clock.advance(12 * HOUR_MS + 10 * MINUTE_MS - 1)
    expect(await refund({ chargedAtMs })).toMatchObject({ value: { retryAfterMs: 1 } })
    expect(stage.callsOf(/void/)).toBe(0)
    stage.clock.advance(1)
    expect(await refund({ chargedAtMs })).toMatchObject({ value: { state: 'done' } })
  })

  it.each(LOST)('is made once when its answer %s', async (_, act) => {
    stage.server.faults.push({ on: /void/, when: 'after', act })
    const result = await untilKnown(stage.clock, (earlier) => refund({ earlier }))
    expect(result).toMatchObject({ value: { state: 'done' } })
    expect(stage.server.sales).toMatchObject([{ voids: [4000] }])
    expect(stage.callsOf(/void/)).toBe(1)
  })

  it.each(LOST)('is made once when its request never arrived and its answer %s', async (_, act) => {
    stage.server.faults.push({ on: /void/, when: 'before', act })
    const result = await untilKnown(stage.clock, (earlier) => refund({ earlier }))
    expect(result).toMatchObject({ value: { state: 'done' } })
    expect(stage.server.sales).toMatchObject([{ voids: [4000] }])
  })

  it('is distinguished from one of the same amount by the amount returned before', async () => {
    await refund()
    stage.server.faults.push({ on: /void/, when: 'after', act: 'cut' })
    const second = { refundId: '8', returnedBeforeMinor: PART }
    const result = await untilKnown(stage.clock, (earlier) => refund({ ...second, earlier }))
    expect(result).toMatchObject({ value: { state: 'done' } })
    expect(stage.server.sales).toMatchObject([{ voids: [4000, 4000] }])
  })

  it('stays unknown when the returned amount is not one that was requested here', async () => {
    const [sale] = stage.server.sales
    if (sale !== undefined) sale.voided = 1
    expect(await refund({ earlier: attempts(0) })).toMatchObject({ kind: 'unknown' })
    expect(stage.callsOf(/void/)).toBe(0)
  })

  it('that arrived between the look and the second attempt is done', async () => {
    const body = JSON.stringify({ Status: 2, ReturnCode: '51' })
    stage.server.faults.push({ on: /void/, when: 'after', act: { status: 200, body } })
    const earlier = attempts(stage.clock.now() - MINUTE_MS)
    expect(await refund({ earlier })).toMatchObject({ value: { state: 'done' } })
  })

  it.each([
    ['40', 'too_late'],
    ['101', 'too_late'],
    ['51', 'amount_exceeds_payment'],
    ['102', 'amount_exceeds_payment'],
    ['55', 'amount_exceeds_payment'],
    ['43', 'balance_too_low'],
    ['56', 'balance_too_low'],
    ['72', 'balance_too_low'],
    ['76', 'balance_too_low'],
    ['21', 'payment_not_found'],
    ['52', 'payment_not_found'],
    ['77', 'payment_not_found'],
    ['3', 'payment_not_found'],
    ['53', 'not_enabled'],
    ['17', 'other'],
    ['41', 'other'],
    ['42', 'other'],
    ['54', 'other'],
    ['58', 'other'],
    ['60', 'other'],
  ])('is refused with ReturnCode %s: %s', async (code, reason) => {
    stage.server.voidCode = code
    const refused = { value: { state: 'refused', reason, code } }
    expect(await refund()).toMatchObject(refused)
    expect(await refund({ earlier: attempts(stage.clock.now() - MINUTE_MS) })).toMatchObject(
      refused,
    )
  })

  it('of a returned payment is refused, whatever its status', async () => {
    expect(await refund({ amountMinor: CHARGED })).toMatchObject({ value: { state: 'done' } })
    const code = '51'
    expect(await refund({ refundId: '8' })).toMatchObject({ value: { state: 'refused', code } })
    expect(stage.server.sales).toMatchObject([{ status: 11, voids: [12_990] }])
  })

  it('that was absent for a minute stays unknown while Cielo refuses every call', async () => {
    const absentSinceMs = stage.clock.now() - MINUTE_MS
    stage.server.faults.push({ on: /void/, when: 'before', act: { status: 401, body: '' } })
    const doubt = { kind: 'unknown', absentSinceMs }
    expect(await refund({ earlier: attempts(absentSinceMs) })).toMatchObject(doubt)
  })

  it.each([
    '5',
    '10',
    '57',
    '97',
    '98',
    '99',
    '223',
    '475',
    '476',
    '504',
    '1234',
    'BP901',
    'BP903',
  ])('with ReturnCode %s is unknown until the next look', async (code) => {
    stage.server.voidCode = code
    expect(await refund()).toMatchObject({ kind: 'unknown' })
  })

  it('with ReturnCode BP900 is looked up after five minutes, and never made twice', async () => {
    const body = JSON.stringify({ Status: 2, ReturnCode: 'BP900' })
    stage.server.faults.push({ on: /void/, when: 'after', act: { status: 200, body } })
    const first = await refund()
    expect(first).toMatchObject({ kind: 'unknown', retryAfterMs: 5 * MINUTE_MS })
    stage.clock.advance(5 * MINUTE_MS)
    expect(await refund({ earlier: attempts(undefined) })).toMatchObject({
      value: { state: 'done' },
    })
    expect(stage.callsOf(/void/)).toBe(1)
    expect(stage.server.sales).toMatchObject([{ voids: [4000] }])
  })

  it.each(['BP900', 'BP903'])(
    'with ReturnCode %s is made after all if Cielo has not made it',
    async (code) => {
      const body = JSON.stringify({ Status: 2, ReturnCode: code })
      stage.server.faults.push({ on: /void/, when: 'before', act: { status: 200, body } })
      const result = await untilKnown(stage.clock, (earlier) => refund({ earlier }))
      expect(result).toMatchObject({ value: { state: 'done' } })
      expect(stage.server.sales).toMatchObject([{ voids: [4000] }])
    },
  )

  it('of a part waits for the next day with ReturnCode 100: the sale is not settled', async () => {
    stage.server.voidCode = '100'
    expect(await refund()).toMatchObject({
      value: { state: 'too_early', retryAfterMs: 12 * HOUR_MS + 10 * MINUTE_MS },
    })
    const again = await refund({ earlier: attempts(stage.clock.now() - MINUTE_MS) })
    expect(again).toMatchObject({ kind: 'unknown', retryAfterMs: 12 * HOUR_MS + 10 * MINUTE_MS })
    // For a whole sale, this code has another meaning, which is not documented.
    expect(await refund({ amountMinor: CHARGED })).toMatchObject({ kind: 'unknown' })
  })

  it('of a part is refused with ReturnCode 100 once the sale must be settled', async () => {
    stage.server.voidCode = '100'
    const chargedAtMs = stage.clock.now() - 41 * DAY_MS
    const refused = { value: { state: 'refused', reason: 'not_enabled', code: '100' } }
    expect(await refund({ chargedAtMs })).toMatchObject(refused)
  })

  it.each([
    ['307', 'payment_not_found'],
    ['309', 'other'],
    ['310', 'not_enabled'],
    ['311', 'not_enabled'],
    ['312', 'other'],
  ])('is refused with error %s: %s', async (code, reason) => {
    const body = JSON.stringify([{ Code: code, Message: 'x' }])
    stage.server.faults.push({ on: /void/, when: 'before', act: { status: 400, body } })
    expect(await refund()).toMatchObject({ value: { state: 'refused', reason } })
  })

  it.each(REFUSALS_AT_THE_DOOR)('is certainly not made after %s', async (_, act, cause) => {
    stage.server.faults.push({ on: /void/, when: 'before', act })
    expect(await refund()).toMatchObject({ kind: 'not-sent', cause })
  })
})

describe('a cancel', () => {
  const cancel = (paymentId: string | undefined, earlier?: EarlierAttempts, ageMs = 0) => {
    const chargedAtMs = stage.clock.now() - ageMs
    const order = { key: KEY, earlier, paymentId, chargedMinor: CHARGED, chargedAtMs }
    return stage.connection.acquirer.cancel(order)
  }

  it.each([true, false])('of a payment captured today waits for tomorrow', async (isNamed) => {
    await authorize()
    const paymentId = isNamed ? stage.server.sales[0]?.paymentId : undefined
    const body = JSON.stringify([{ Code: 312, Message: 'Transaction not available to refund' }])
    const fault = { on: /void/, when: 'before', act: { status: 400, body } } as const
    stage.server.faults.push(fault, fault)
    const early = { value: { state: 'too_early', retryAfterMs: 12 * HOUR_MS + 10 * MINUTE_MS } }
    expect(await cancel(paymentId)).toMatchObject(early)
    expect(await cancel(paymentId, undefined, DAY_MS)).toMatchObject({
      value: { state: 'refused', code: '312' },
    })
  })

  it.each(LOST)('is made once when its answer %s', async (_, act) => {
    await authorize()
    stage.server.faults.push({ on: /void/, when: 'after', act })
    const paymentId = stage.server.sales[0]?.paymentId
    expect(await untilKnown(stage.clock, (earlier) => cancel(paymentId, earlier))).toMatchObject({
      value: { state: 'done' },
    })
    expect(stage.server.sales).toMatchObject([{ voids: [12_990] }])
  })

  it('finds a charge without an answer by its order', async () => {
    stage.server.faults.push({ on: /POST/, when: 'after', act: 'cut' })
    await authorize()
    stage.server.faults.push({ on: /void/, when: 'after', act: 'cut' })
    expect(await untilKnown(stage.clock, (earlier) => cancel(undefined, earlier))).toMatchObject({
      value: { state: 'done' },
    })
    expect(stage.server.sales).toMatchObject([{ voids: [12_990] }])
  })

  it('of nothing is refused only when nothing was found twice, a minute apart', async () => {
    expect(await cancel(undefined)).toMatchObject({
      kind: 'unknown',
      absentSinceMs: stage.clock.now(),
    })
    const earlier = attempts(stage.clock.now())
    stage.clock.advance(MINUTE_MS)
    expect(await cancel(undefined, earlier)).toMatchObject({
      value: { state: 'refused', reason: 'payment_not_found' },
    })
  })

  it('waits for a sale that is not finished', async () => {
    stage.server.status = 0
    await authorize()
    expect(await cancel(undefined)).toMatchObject({ kind: 'unknown' })
    expect(stage.callsOf(/void/)).toBe(0)
  })
})
