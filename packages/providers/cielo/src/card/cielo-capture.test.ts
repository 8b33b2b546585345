import { DAY_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import type { CancelRequest, CaptureRequest } from '@cofre/provider-kit/card'
import { beforeEach, describe, expect, it } from 'vitest'
import { REFUSALS_AT_THE_DOOR, lostAnswers } from '../../../../provider-kit/test/faulty-server.js'
import { CHARGED, KEY, approvedId, untilKnown } from '../../../../provider-kit/test/payments.js'
import { cieloStage } from '../../test/cielo-stage.js'
import { FACTS, type FakeSale } from '../../test/fake-cielo.js'

const stage = cieloStage()
const { attempts } = stage
const LOST = lostAnswers('4024 0071 5376 3191')
const PART = minorUnits(4000)
const DONE = { kind: 'done', value: { state: 'done', captureId: undefined } }
const refusedAs = (reason: string) => ({ kind: 'done', value: { state: 'refused', reason } })

const authorize = (changes: object = {}) => stage.authorize({ isCapturedLater: true, ...changes })
let paymentId: string
const open = async () => {
  paymentId = approvedId(await authorize())
}
const sale = (): FakeSale => stage.server.sales[0]!
const capture = async (changes: Partial<CaptureRequest> = {}) =>
  await stage.connection.acquirer.capture!({
    key: KEY,
    earlier: undefined,
    paymentId,
    authorizedMinor: CHARGED,
    amountMinor: CHARGED,
    orderedAtMs: 0,
    ...changes,
  })
const release = (changes: Partial<CancelRequest> = {}) =>
  stage.connection.acquirer.cancel({
    key: KEY,
    earlier: undefined,
    paymentId,
    chargedMinor: CHARGED,
    chargedAtMs: stage.clock.now(),
    isUncaptured: true,
    ...changes,
  })
const find = () =>
  stage.connection.acquirer.find?.({ key: KEY, paymentId, amountMinor: CHARGED, brand: 'visa' })

describe('a sale that is captured later', () => {
  it('is authorized alone', async () => {
    expect(await authorize()).toMatchObject({ value: { outcome: 'approved', surplus: [] } })
    expect(stage.server.calls).toMatchObject([{ body: { Payment: { Capture: false } } }])
    expect(stage.server.sales).toMatchObject([{ status: 1, captured: 0 }])
  })

  it.each(LOST)('is authorized once when its answer %s', async (_, act) => {
    stage.server.faults.push({ when: 'after', act })
    const result = await untilKnown(stage.clock, (earlier) => authorize({ earlier }))
    expect(result).toMatchObject({ value: { outcome: 'approved' } })
    expect(stage.server.sales).toMatchObject([{ status: 1, captured: 0 }])
    expect(stage.callsOf(/capture/)).toBe(0)
  })

  it('names further authorizations to cancel', async () => {
    await authorize()
    stage.server.isBlind = true
    await authorize({ earlier: attempts(stage.clock.now() - MINUTE_MS) })
    stage.server.isBlind = false
    const [first, second] = stage.server.sales
    expect(await authorize({ earlier: attempts() })).toMatchObject({
      value: { payment: { paymentId: first?.paymentId }, surplus: [second?.paymentId] },
    })
  })
})

describe('a capture', () => {
  beforeEach(open)

  it.each([
    ['the whole', CHARGED],
    ['a part', PART],
  ])('takes %s, once', async (_, amountMinor) => {
    expect(await capture({ amountMinor })).toEqual(DONE)
    expect(stage.server.calls.at(-1)).toMatchObject({
      method: 'PUT',
      path: `/1/sales/${paymentId}/capture?amount=${amountMinor}`,
    })
    expect(await find()).toMatchObject({
      value: { state: 'approved', capturedMinor: amountMinor, returnedMinor: 0 },
    })
  })

  it.each(LOST)('is made once when its answer %s', async (_, act) => {
    stage.server.faults.push({ on: /capture/, when: 'after', act })
    const result = await untilKnown(stage.clock, (earlier) =>
      capture({ amountMinor: PART, earlier }),
    )
    expect(result).toEqual(DONE)
    expect(stage.callsOf(/capture/)).toBe(1)
    expect(sale()).toMatchObject({ status: 2, captured: PART })
  })

  it.each(LOST)('is made once when its request never arrived and its answer %s', async (_, act) => {
    stage.server.faults.push({ on: /capture/, when: 'before', act })
    const result = await untilKnown(stage.clock, (earlier) => capture({ earlier }))
    expect(result).toEqual(DONE)
    expect(sale()).toMatchObject({ status: 2, captured: CHARGED })
  })

  it('that arrives between the look and the second attempt is done', async () => {
    const body = JSON.stringify([{ Code: 308, Message: 'not available to capture' }])
    stage.server.faults.push({ on: /capture/, when: 'after', act: { status: 400, body } })
    expect(await capture({ earlier: attempts() })).toEqual(DONE)
  })

  it.each(['ReturnCode', 'Other'])(
    'is confirmed by its code, not by a status (%s)',
    async (name) => {
      const body = JSON.stringify({ Status: 2, [name]: '841' })
      Object.assign(sale(), { status: 2, captured: PART })
      stage.server.faults.push({ on: /capture/, when: 'before', act: { status: 200, body } })
      const result = await untilKnown(stage.clock, (earlier) => capture({ earlier }))
      expect(result).toMatchObject(refusedAs('other'))
    },
  )

  it.each([undefined, attempts])(
    'of another amount than was captured is refused',
    async (earlier) => {
      Object.assign(sale(), { status: 2, captured: PART })
      expect(await capture({ earlier: earlier?.() })).toMatchObject({
        value: { reason: 'other', detail: 'Cielo has captured 4000 centavos' },
      })
    },
  )

  it('of a part waits where Cielo does not state the captured amount yet', async () => {
    sale().status = 2
    expect(await capture({ amountMinor: PART, earlier: attempts() })).toMatchObject({
      kind: 'unknown',
    })
    expect(await capture({ earlier: attempts() })).toEqual(DONE)
    expect(await find()).toMatchObject({ value: { state: 'approved', capturedMinor: undefined } })
  })

  it.each([3, 10, 11, 13])(
    'of a sale that Cielo released is refused (status %s)',
    async (status) => {
      sale().status = status
      expect(await capture()).toMatchObject(refusedAs('released'))
      expect(await capture({ earlier: attempts() })).toMatchObject(refusedAs('released'))
      expect(stage.callsOf(/capture/)).toBe(1)
    },
  )

  it('that was returned afterwards is done', async () => {
    Object.assign(sale(), { status: 11, captured: PART })
    expect(await capture({ amountMinor: PART, earlier: attempts() })).toEqual(DONE)
    expect(await find()).toMatchObject({
      value: { state: 'returned', capturedMinor: PART, returnedMinor: PART },
    })
  })

  it('waits for a sale that is not finished', async () => {
    sale().status = 12
    expect(await capture({ earlier: attempts() })).toMatchObject({ kind: 'unknown' })
    expect(stage.callsOf(/capture/)).toBe(0)
  })

  it('that Cielo refuses while the sale is authorized is refused after a minute', async () => {
    stage.server.captureCode = '843'
    const absentSinceMs = stage.clock.now()
    const first = await capture()
    const doubt = { kind: 'unknown', detail: 'ReturnCode 843', absentSinceMs }
    expect(first).toMatchObject({ ...doubt, retryAfterMs: MINUTE_MS })
    stage.clock.advance(MINUTE_MS - 1)
    expect(await capture({ earlier: attempts(absentSinceMs) })).toMatchObject(doubt)
    stage.clock.advance(1)
    const earlier = attempts(absentSinceMs)
    expect(await capture({ earlier })).toMatchObject(refusedAs('released'))
  })

  const MEANING: Readonly<Record<string, object>> = {
    '6': DONE,
    '003': refusedAs('payment_not_found'),
    '842': refusedAs('amount_exceeds_payment'),
  }
  it.each(Object.entries(FACTS.captureReturnCodes.codes))(
    'with ReturnCode %s (%s) is read',
    async (code) => {
      stage.server.captureCode = code
      expect(await capture()).toMatchObject(MEANING[code] ?? { kind: 'unknown' })
    },
  )

  const ERRORS: Readonly<Record<string, object>> = {
    '307': refusedAs('payment_not_found'),
    '308': { kind: 'unknown' },
    '310': refusedAs('not_enabled'),
    '318': refusedAs('payment_not_found'),
    ...Object.fromEntries(
      ['114', '115', '116', '120', '131', '132', '301', '306'].map((code) => [
        code,
        { kind: 'not-sent', cause: 'login' },
      ]),
    ),
  }
  it.each(Object.keys(FACTS.apiErrorsToKnow))('with error %s is read', async (code) => {
    const body = JSON.stringify([{ Code: Number(code), Message: 'x' }])
    const fault = { on: /capture/, when: 'before', act: { status: 400, body } } as const
    stage.server.faults.push(fault, fault)
    expect(await capture()).toMatchObject(ERRORS[code] ?? refusedAs('other'))
    // A repeated one that is only refused may have been made before.
    expect(await capture({ earlier: attempts() })).toMatchObject({ kind: 'unknown' })
  })

  it.each(REFUSALS_AT_THE_DOOR)('is certainly not made after %s', async (_, act, cause) => {
    stage.server.faults.push({ on: /capture/, when: 'before', act })
    expect(await capture()).toMatchObject({ kind: 'not-sent', cause })
    stage.server.faults.push({ on: /capture/, when: 'before', act })
    expect(await capture({ earlier: attempts() })).toMatchObject({ kind: 'unknown' })
  })

  it('is not sent again when its look fails', async () => {
    stage.server.faults.push({ on: /^GET/, when: 'before', act: 'cut' })
    expect(await capture({ earlier: attempts() })).toMatchObject({ kind: 'unknown' })
    stage.server.faults.push({ on: /^GET/, when: 'before', act: { status: 404, body: '' } })
    expect(await capture({ earlier: attempts() })).toMatchObject({ kind: 'unknown' })
    expect(stage.callsOf(/capture/)).toBe(0)
  })
})

describe('the release of an authorization', () => {
  beforeEach(open)
  const released = { kind: 'done', value: { state: 'done' } }

  it('is made on any day, and once', async () => {
    stage.clock.advance(3 * DAY_MS)
    expect(await release()).toMatchObject(released)
    expect(await find()).toMatchObject({ value: { state: 'returned', capturedMinor: 0 } })
    expect(await release()).toMatchObject(released)
    expect(sale()).toMatchObject({ status: 10, voids: [CHARGED] })
  })

  it.each(LOST)('is made once when its answer %s', async (_, act) => {
    stage.server.faults.push({ on: /void/, when: 'after', act })
    const result = await untilKnown(stage.clock, (earlier) => release({ earlier }))
    expect(result).toMatchObject(released)
    expect(sale()).toMatchObject({ status: 10, voids: [CHARGED] })
  })

  it.each(LOST)('is made once when its request never arrived and its answer %s', async (_, act) => {
    stage.server.faults.push({ on: /void/, when: 'before', act })
    const result = await untilKnown(stage.clock, (earlier) => release({ earlier }))
    expect(result).toMatchObject(released)
    expect(sale()).toMatchObject({ status: 10, voids: [CHARGED] })
  })

  it.each([
    ['captured', 2],
    ['captured and returned', 11],
  ])('keeps a sale that was %s', async (_, status) => {
    Object.assign(sale(), { status, captured: PART })
    stage.clock.advance(2 * DAY_MS)
    for (const earlier of [undefined, attempts()])
      expect(await release({ earlier })).toMatchObject(refusedAs('captured'))
    expect(stage.callsOf(/void/)).toBe(0)
  })

  it('that is refused because of a capture meanwhile keeps the capture', async () => {
    const Payment = { PaymentId: paymentId, Status: 1, Amount: CHARGED }
    const before = JSON.stringify({ MerchantOrderId: 'cofrep1042', Payment })
    const error = JSON.stringify([{ Code: 312, Message: 'Transaction not available to refund' }])
    Object.assign(sale(), { status: 2, captured: CHARGED })
    stage.server.faults.push(
      { on: /^GET/, when: 'before', act: { status: 200, body: before } },
      { on: /void/, when: 'before', act: { status: 400, body: error } },
    )
    expect(await release()).toMatchObject(refusedAs('captured'))
    expect(stage.callsOf(/void/)).toBe(1)
  })

  it('that Cielo refuses while the sale is authorized is refused after a minute', async () => {
    stage.server.voidCode = '60'
    const first = await release()
    expect(first).toMatchObject({ kind: 'unknown', absentSinceMs: stage.clock.now() })
    const earlier = attempts(stage.clock.now())
    stage.clock.advance(MINUTE_MS)
    expect(await release({ earlier })).toMatchObject({ value: { reason: 'other', code: '60' } })
  })

  it('waits while the sale cannot be read, or is not finished', async () => {
    sale().status = 12
    expect(await release()).toMatchObject({ kind: 'unknown' })
    expect(await release({ paymentId: '0d5b4f0a-0000-4000-8000-999999999999' })).toMatchObject({
      kind: 'unknown',
    })
    expect(stage.callsOf(/void/)).toBe(0)
  })

  it('needs the PaymentId', async () => {
    expect(await release({ paymentId: undefined })).toMatchObject({ kind: 'refused' })
    expect(stage.callsOf(/void|GET/)).toBe(0)
  })
})
