import { minorUnits } from '@cofre/contracts'
import type { EventFit, HeldPayment } from '@cofre/provider-kit/card'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen } from '../../test/simulated-adyen.js'
import {
  CHARGED,
  KEY,
  PAN,
  type TestClock,
  type TestConnection,
  connectionTo,
  order,
  testClock,
  untilKnown,
  approvedId,
} from '../../../../provider-kit/test/payments.js'
import { ADYEN } from './adyen-provider.js'

let adyen: TestAdyen
let clock: TestClock
let connection: TestConnection
beforeEach(async () => {
  adyen = await openTestAdyen()
  clock = testClock()
  const { apiKey, hmacKey } = adyen.credentials
  const returnUrl = 'https://loja.example/volta'
  connection = connectionTo(ADYEN, {
    origin: `https://127.0.0.1:${adyen.apiPort}`,
    caPem: adyen.authority,
    answers: { merchantAccount: MERCHANT, returnUrl, apiKey, hmacKey },
    clock,
  })
})
afterEach(async () => {
  await connection.acquirer.close()
  await adyen.close()
  expect(connection.printed.join()).not.toContain(PAN)
})

const REFERENCE = 'cofrep1042'
const PART = minorUnits(4000)
const authorize = (changes = {}) => connection.acquirer.authorize(order(changes))
async function charge(): Promise<HeldPayment> {
  const paymentId = approvedId(await authorize())
  return { reference: REFERENCE, paymentId, chargedMinor: CHARGED, refunds: [] }
}
const refund = ({ paymentId = '' }: HeldPayment, changes = {}) =>
  connection.acquirer.refund({
    key: KEY,
    earlier: undefined,
    refundId: '7',
    paymentId,
    chargedMinor: CHARGED,
    chargedAtMs: clock.now(),
    returnedBeforeMinor: minorUnits(0),
    amountMinor: PART,
    ...changes,
  })
const cut = (path: RegExp) => {
  adyen.adyen.disturbances.add({
    effect: { kind: 'cut', when: 'after' },
    on: (call) => path.test(call.path),
  })
}
/** The simulator's notices, parsed and compared with the vault's records. */
async function notices(held: HeldPayment): Promise<(readonly [string, EventFit['kind']])[]> {
  await adyen.notices()
  return adyen.receiver.received.flatMap((body) => {
    const reading = connection.notices.read(body)
    const events = reading.kind === 'events' ? reading.events : []
    return events.map((event) => [event.change, connection.notices.fit(event, held).kind] as const)
  })
}

describe('against the simulated Adyen', () => {
  it('a charge, a refund and a cancel are made once, whatever answer is cut', async () => {
    cut(/payments$/)
    await untilKnown(clock, (earlier) => authorize({ earlier }))
    const held = await charge()
    cut(/refunds$/)
    await untilKnown(clock, (earlier) => refund(held, { earlier }))
    expect(adyen.adyen.tallyOf(REFERENCE)).toMatchObject({
      charges: 1,
      refunds: 1,
      refundedMinor: 4000,
    })
  })

  it('its notices report approvals, refunds and disputes', async () => {
    const paid = await charge()
    const asked = await refund(paid)
    const isAsked = asked.kind === 'done' && asked.value.state === 'in_process'
    const returnId = isAsked ? asked.value.returnId : undefined
    const held = { ...paid, refunds: [{ reference: 'cofrer7', returnId, amountMinor: PART }] }
    const { controls } = adyen.adyen
    controls.undoRefund(returnId ?? '', 'failed')
    controls.chargeBack(paid.paymentId ?? '', 5000)
    controls.reverseChargeback(paid.paymentId ?? '')
    controls.failCapture(paid.paymentId ?? '')
    expect(await notices(held)).toEqual([
      ['approved', 'payment'],
      ['refunded', 'refund'],
      ['refund_failed', 'refund'],
      ['charged_back', 'payment'],
      ['chargeback_reversed', 'payment'],
      ['capture_failed', 'payment'],
    ])
    const other = { ...held, reference: 'cofrep1' }
    expect(new Set((await notices(other)).map(([, fit]) => fit))).toEqual(
      new Set(['refund', 'contradiction']),
    )
  })

  it('its notices report captures, and what ends an authorization', async () => {
    const paymentId = approvedId(await authorize({ isCapturedLater: true }))
    const held = { reference: REFERENCE, paymentId, chargedMinor: CHARGED, refunds: [] }
    const capture = {
      key: KEY,
      earlier: undefined,
      paymentId,
      authorizedMinor: CHARGED,
      orderedAtMs: 0,
    }
    const asked = await connection.acquirer.capture?.({ ...capture, amountMinor: PART })
    const isAsked = asked?.kind === 'done' && asked.value.state === 'in_process'
    const captureId = isAsked ? asked.value.captureId : undefined
    const captures = [{ reference: 'cofrea1042', captureId, amountMinor: PART }]
    adyen.adyen.controls.failCapture(paymentId)
    expect(await notices({ ...held, captures })).toEqual([
      ['approved', 'payment'],
      ['captured', 'capture'],
      ['capture_failed', 'capture'],
    ])
    const key = { ...KEY, transactionCode: '1043' }
    const other = approvedId(await authorize({ key, isCapturedLater: true }))
    adyen.adyen.controls.expire(other)
    const late = { ...capture, key, paymentId: other, amountMinor: CHARGED }
    await connection.acquirer.capture?.(late)
    const end = { reference: 'cofrea1043', captureId: undefined, amountMinor: CHARGED }
    const expired = { ...held, reference: 'cofrep1043', paymentId: other, captures: [end] }
    expect((await notices(expired)).slice(-3)).toEqual([
      ['approved', 'payment'],
      ['expired', 'payment'],
      ['capture_refused', 'capture'],
    ])
  })

  it('a payment whose answer never came is cancelled by its notice’s id', async () => {
    cut(/payments$/)
    await authorize()
    const held = { reference: REFERENCE, paymentId: undefined, chargedMinor: CHARGED, refunds: [] }
    const cancel = {
      key: KEY,
      earlier: undefined,
      paymentId: undefined,
      chargedMinor: CHARGED,
      chargedAtMs: 0,
    }
    expect(await connection.acquirer.cancel(cancel)).toMatchObject({
      value: { state: 'in_process' },
    })
    // Captured at once, so only the notice's id identifies it.
    expect(await notices(held)).toEqual([
      ['approved', 'payment'],
      ['cancel_failed', 'payment'],
    ])
    const [paymentId] = adyen.adyen.book.payments.keys()
    expect(await connection.acquirer.cancel({ ...cancel, paymentId })).toMatchObject({
      kind: 'done',
      value: { state: 'in_process' },
    })
    expect((await notices(held)).at(-1)).toEqual(['cancelled', 'payment'])
    expect(adyen.adyen.tallyOf(REFERENCE)).toMatchObject({ charges: 1, refundedMinor: CHARGED })
  })

  it('a payment that never arrived cannot be cancelled, and a notice reports that', async () => {
    const held = { reference: REFERENCE, paymentId: undefined, chargedMinor: CHARGED, refunds: [] }
    const cancel = {
      key: KEY,
      earlier: undefined,
      paymentId: undefined,
      chargedMinor: CHARGED,
      chargedAtMs: 0,
    }
    await connection.acquirer.cancel(cancel)
    expect(await notices(held)).toEqual([['cancel_failed', 'payment']])
  })

  it.each([
    ['NOT_ENOUGH_BALANCE', 'insufficient_funds'],
    ['CARD_EXPIRED', 'expired_card'],
    ['CVC_DECLINED', 'security_code_invalid'],
    ['ISSUER_UNAVAILABLE', 'issuer_unavailable'],
    ['FRAUD', 'refused_by_risk_rules'],
    ['AUTHENTICATION_REQUIRED', 'authentication_required'],
    ['REVOCATION_OF_AUTH', 'recurring_stopped'],
  ])('the test card %s is declined for %s', async (name, reason) => {
    const payer = { name, document: undefined, email: undefined, ip: undefined }
    expect(await authorize({ payer })).toMatchObject({
      value: { outcome: 'declined', decline: { reason } },
    })
  })

  it('a wrong key charges nothing', async () => {
    const answers = {
      merchantAccount: MERCHANT,
      returnUrl: 'https://loja.example',
      apiKey: 'wrong',
    }
    const hmacKey = adyen.credentials.hmacKey
    const origin = `https://127.0.0.1:${adyen.apiPort}`
    const wrong = connectionTo(ADYEN, {
      origin,
      caPem: adyen.authority,
      answers: { ...answers, hmacKey },
      clock,
    })
    expect(await wrong.acquirer.authorize(order())).toMatchObject({
      kind: 'not-sent',
      cause: 'login',
    })
    expect(await wrong.steps[0]?.run()).toMatchObject({ isDone: false })
    expect(await connection.steps[0]?.run()).toMatchObject({ isDone: true })
    await wrong.acquirer.close()
    expect(adyen.adyen.tallyOf(REFERENCE)).toMatchObject({ attempts: 0 })
  })
})
