import { DAY_MS, minorUnits } from '@cofre/contracts'
import type { CaptureRequest } from '@cofre/provider-kit/card'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { REFUSALS_AT_THE_DOOR, lostAnswers } from '../../../../provider-kit/test/faulty-server.js'
import {
  CHARGED,
  KEY,
  LINKED,
  type TestClock,
  type TestConnection,
  approvedId,
  connectionTo,
  order,
  testClock,
  untilKnown,
} from '../../../../provider-kit/test/payments.js'
import {
  ADYEN_ANSWERS,
  ADYEN_SECRETS,
  type JudgingAdyen,
  error,
  startJudgingAdyen,
} from '../../test/judging-adyen.js'
import { ADYEN } from './adyen-provider.js'

let server: JudgingAdyen
let clock: TestClock
let connection: TestConnection
beforeEach(async () => {
  server = await startJudgingAdyen()
  clock = testClock()
  connection = connectionTo(ADYEN, { origin: server.origin, answers: ADYEN_ANSWERS, clock })
})
afterEach(async () => {
  await connection.acquirer.close()
  await server.close()
  expect(server.objections).toEqual([])
  for (const secret of [...ADYEN_SECRETS, '4111 1111'])
    expect(connection.printed.join()).not.toContain(secret)
})

const PART = minorUnits(4000)
const LOST = lostAnswers('4111 1111 1111 1111')
const bodyOf = (call: number) => server.calls[call]?.body as Record<string, unknown>
const keys = () => server.calls.map(({ headers }) => headers['idempotency-key'])
const again = () => ({ firstAtMs: clock.now(), absentSinceMs: undefined })
const hold = async (changes = {}) => {
  const answer = await connection.acquirer.authorize(order({ isCapturedLater: true, ...changes }))
  return approvedId(answer)
}
const capture = (paymentId: string, changes: Partial<CaptureRequest> = {}) =>
  connection.acquirer.capture?.({
    key: KEY,
    earlier: undefined,
    paymentId,
    authorizedMinor: CHARGED,
    amountMinor: PART,
    orderedAtMs: 1,
    ...changes,
  }) ?? Promise.reject(new Error('Adyen captures'))

describe('a charge that is captured later', () => {
  it('asks for manual capture, and for no delay', async () => {
    await hold()
    expect(bodyOf(0).additionalData).toEqual({ manualCapture: 'true' })
    expect(bodyOf(0)).not.toHaveProperty('captureDelayHours')
  })

  it('also names the first use of a card', async () => {
    await hold({ brand: 'mastercard', storedCredential: LINKED })
    expect(bodyOf(0).additionalData).toEqual({
      manualCapture: 'true',
      transactionLinkId: 'first_TLID-1',
    })
  })
})

describe('a capture', () => {
  it('is in process until a notice, under a name, an id and a key of its own', async () => {
    const answer = await capture(await hold())
    expect(answer).toEqual({
      kind: 'done',
      value: { state: 'in_process', captureId: server.payments[0]?.captures[0]?.pspReference },
    })
    expect(bodyOf(1)).toEqual({
      merchantAccount: 'LojaECOM',
      amount: { currency: 'BRL', value: 4000 },
      reference: 'cofrea1042',
    })
    expect(new Set(keys()).size).toBe(2)
  })

  it.each(LOST)('is made once when its answer %s', async (_, act) => {
    const paymentId = await hold()
    server.faults.push({ when: 'after', act })
    const answer = await untilKnown(clock, (earlier) => capture(paymentId, { earlier }))
    expect(answer).toMatchObject({ value: { state: 'in_process' } })
    expect(server.payments[0]?.captures).toHaveLength(1)
    expect(keys()[1]).toBe(keys()[2])
    expect(bodyOf(1)).toEqual(bodyOf(2))
  })

  it('is another request if it is ordered again after a refusal', async () => {
    const paymentId = await hold()
    await capture(paymentId)
    await capture(paymentId, { orderedAtMs: 2 })
    expect(new Set(keys()).size).toBe(3)
  })

  it('of another amount is another request', async () => {
    const paymentId = await hold()
    await capture(paymentId)
    await capture(paymentId, { amountMinor: CHARGED })
    expect(server.payments[0]?.captures.map(({ value }) => value)).toEqual([PART, CHARGED])
  })

  it.each(REFUSALS_AT_THE_DOOR)('is certainly not made after %s', async (_, act, cause) => {
    const paymentId = await hold()
    server.faults.push({ when: 'before', act })
    expect(await capture(paymentId)).toMatchObject({ kind: 'not-sent', cause })
  })

  it.each([
    ['10', 'not_enabled'],
    ['010', 'not_enabled'],
    ['137', 'amount_exceeds_payment'],
    ['133', 'other'],
  ])('of error %s is refused: %s', async (code, reason) => {
    const paymentId = await hold()
    server.refusal = error(422, code, 'validation')
    expect(await capture(paymentId)).toMatchObject({ value: { state: 'refused', reason, code } })
    expect(await capture(paymentId, { earlier: again() })).toMatchObject({ kind: 'unknown' })
  })

  it('of a payment that Adyen does not know is refused', async () => {
    expect(await capture('PSP9999999999999', { earlier: again() })).toMatchObject({
      value: { state: 'refused', reason: 'payment_not_found' },
    })
  })

  it('is never sent again under a key that Adyen may have forgotten', async () => {
    const earlier = { firstAtMs: clock.now() - 6 * DAY_MS - 1, absentSinceMs: undefined }
    expect(await capture('PSP0000000000001', { earlier })).toMatchObject({ kind: 'unknown' })
    expect(server.calls).toEqual([])
  })
})

describe('a cancel of an uncaptured payment', () => {
  const cancel = (paymentId: string | undefined) =>
    connection.acquirer.cancel({
      key: KEY,
      earlier: undefined,
      paymentId,
      chargedMinor: CHARGED,
      chargedAtMs: 0,
      isUncaptured: true,
    })

  it('cancels, and never reverses', async () => {
    const paymentId = await hold()
    expect(await cancel(paymentId)).toMatchObject({ value: { state: 'in_process' } })
    expect(server.payments).toMatchObject([{ cancels: 1, reversals: 0 }])
  })

  it('never gets the answer to a reversal of the same payment', async () => {
    const paymentId = await hold()
    await connection.acquirer.cancel({
      key: KEY,
      earlier: undefined,
      paymentId,
      chargedMinor: CHARGED,
      chargedAtMs: 0,
    })
    await cancel(paymentId)
    expect(server.payments).toMatchObject([{ cancels: 1, reversals: 1 }])
  })
})

describe('an authorization', () => {
  it.each([
    ['5 days for Visa', 'visa', {}, 5],
    ['7 days for other brands', 'elo', {}, 7],
    ['the days of the contract', 'visa', { captureDays: '20' }, 20],
    ['28 days at most', 'visa', { captureDays: '29' }, 28],
  ])('can be captured for %s', (_, brand, settings, days) => {
    expect(ADYEN.captureDaysOf?.(brand, settings)).toBe(days)
  })
})
