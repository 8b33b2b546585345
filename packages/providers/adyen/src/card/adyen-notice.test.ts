import { createRequire } from 'node:module'
import type { hmacValidator as HmacValidator } from '@adyen/api-library'
import { minorUnits } from '@cofre/contracts'
import type { AcquirerEvent, HeldPayment } from '@cofre/provider-kit/card'
import { afterAll, describe, expect, it } from 'vitest'
import { ADYEN_ANSWERS, type NoticeChanges, signedNotice } from '../../test/judging-adyen.js'
import { connectionTo, enteredAccount, testClock } from '../../../../provider-kit/test/payments.js'
import { noticeExamples } from '../../../../../test/judges/adyen.js'
import { signatureOf } from './adyen-notice.js'
import { ADYEN } from './adyen-provider.js'

const NEXT_KEY = 'A'.repeat(64)
const answers = { ...ADYEN_ANSWERS, nextHmacKey: NEXT_KEY }
const { notices, acquirer } = connectionTo(ADYEN, {
  origin: 'https://127.0.0.1:1',
  answers,
  clock: testClock(),
})
afterAll(() => acquirer.close())

const PAYMENT = 'PSP0000000000001'
const CHANGE = 'PSP0000000000002'
const change = (changes: NoticeChanges) => ({
  originalReference: PAYMENT,
  pspReference: CHANGE,
  ...changes,
})
function eventsOf(notice: unknown): readonly AcquirerEvent[] {
  const reading = notices.read(notice)
  return reading.kind === 'events' ? reading.events : []
}
function eventOf(changes: NoticeChanges): AcquirerEvent {
  const [event] = eventsOf(signedNotice(changes))
  if (event === undefined) throw new Error('no event')
  return event
}

describe('a signed notice', () => {
  it('is read with the payment that it is about', () => {
    expect(
      notices.read(signedNotice(change({ eventCode: 'REFUND', merchantReference: 'cofrer7' }))),
    ).toEqual({
      kind: 'events',
      refused: 0,
      damaged: 0,
      elsewhere: [],
      events: [
        {
          id: `REFUND:${CHANGE}`,
          change: 'refunded',
          reference: 'cofrer7',
          paymentId: PAYMENT,
          returnId: CHANGE,
          amountMinor: 12_990,
          atMs: Date.parse('2026-11-22T15:00:00Z'),
          detail: undefined,
        },
      ],
    })
  })

  it.each([
    ['AUTHORISATION', 'approved', 'declined'],
    ['CAPTURE', 'captured', 'capture_refused'],
    ['CAPTURE_FAILED', 'capture_failed', undefined],
    ['REFUND', 'refunded', 'refund_failed'],
    ['REFUND_FAILED', 'refund_failed', undefined],
    ['REFUNDED_REVERSED', 'refund_failed', undefined],
    ['CANCELLATION', 'cancelled', 'cancel_failed'],
    ['CANCEL_OR_REFUND', 'cancelled', 'cancel_failed'],
    ['TECHNICAL_CANCEL', 'cancelled', 'cancel_failed'],
    ['EXPIRE', 'expired', undefined],
    ['REQUEST_FOR_INFORMATION', 'dispute_announced', undefined],
    ['NOTIFICATION_OF_CHARGEBACK', 'dispute_announced', undefined],
    ['NOTIFICATION_OF_FRAUD', 'dispute_announced', undefined],
    ['PREARBITRATION_OPEN', 'dispute_announced', undefined],
    ['PREARBITRATION_WON', 'dispute_announced', undefined],
    ['PREARBITRATION_LOST', 'dispute_announced', undefined],
    ['CHARGEBACK', 'charged_back', undefined],
    ['SECOND_CHARGEBACK', 'charged_back', undefined],
    ['CHARGEBACK_REVERSED', 'chargeback_reversed', undefined],
    ['AUTHORISATION_ADJUSTMENT', undefined, undefined],
    ['REFUND_WITH_DATA', undefined, undefined],
  ])('of %s means %s, or without success %s', (eventCode, success, failure) => {
    const changeOf = (word: string) =>
      eventsOf(signedNotice({ eventCode, success: word }))[0]?.change
    expect([changeOf('true'), changeOf('false')]).toEqual([success, failure])
  })

  it.each([
    ['Not enough balance', 'visa', { reason: 'insufficient_funds' }],
    ['Restricted Card', 'visa', { reason: 'card_blocked' }],
    ['41 : Lost card', 'mc', { reason: 'lost_card', code: '41', retry: { kind: 'never' } }],
    ['something new', 'visa', { reason: 'generic', retry: { kind: 'unknown' } }],
  ])('that declines has the reason: %s at %s', (reason, paymentMethod, decline) => {
    const [event] = eventsOf(signedNotice({ success: 'false', reason, paymentMethod }))
    expect(event?.decline).toMatchObject(decline)
  })

  it('that declines has the issuer’s code if Adyen has it switched on', () => {
    const notice = structuredClone(
      signedNotice({ success: 'false', reason: 'Refused', paymentMethod: 'visa' }),
    ) as {
      notificationItems: [{ NotificationRequestItem: { additionalData: Record<string, unknown> } }]
    }
    const { additionalData } = notice.notificationItems[0].NotificationRequestItem
    additionalData.refusalReasonRaw = '43 : Stolen card'
    expect(eventsOf(notice)[0]?.decline).toMatchObject({ reason: 'stolen_card', code: '43' })
  })

  it('is believed under either key while they are replaced, and under no other', () => {
    expect(eventsOf(signedNotice({}, NEXT_KEY))).toHaveLength(1)
    expect(notices.read(signedNotice({}, 'B'.repeat(64)))).toEqual({
      kind: 'events',
      events: [],
      refused: 1,
      damaged: 0,
      elsewhere: [],
    })
  })

  it.each<[string, string | undefined, boolean]>([
    ['its own key', undefined, true],
    ['another key', 'B'.repeat(64), false],
  ])('of another merchant account is left to that, signed by %s', (_, key, isSigned) => {
    const other = signedNotice({ merchantAccountCode: 'OtherECOM' }, key)
    const own = signedNotice({}) as Record<'notificationItems', readonly unknown[]>
    const { notificationItems } = other as typeof own
    const both = { ...own, notificationItems: [...notificationItems, ...own.notificationItems] }
    const reading = notices.read(both)
    expect(reading).toEqual({
      kind: 'events',
      events: [expect.objectContaining({ change: 'approved' })],
      refused: 0,
      damaged: 0,
      elsewhere: [{ account: 'OtherECOM', isSigned, notice: expect.anything() as unknown }],
    })
    const left = reading.kind === 'events' ? reading.elsewhere[0]?.notice : undefined
    const name = { merchantAccount: 'OtherECOM' }
    const there = connectionTo(ADYEN, {
      origin: 'https://127.0.0.1:1',
      answers: { ...answers, ...name, hmacKey: key ?? answers.hmacKey },
      clock: testClock(),
    })
    expect(there.notices.read(left)).toMatchObject({
      events: [{ change: 'approved' }],
      elsewhere: [],
    })
  })

  it.each<[string, NoticeChanges]>([
    ['another currency', { amount: { currency: 'USD', value: 12_990 } }],
    ['a colon in a signed field', { merchantReference: 'cofre:p1042' }],
  ])('of %s changes nothing, and need not come again', (_, changes) => {
    expect(notices.read(signedNotice(changes))).toMatchObject({ events: [], refused: 0 })
  })

  it.each([undefined, null, {}, { hmacSignature: null }, { hmacSignature: 'A'.repeat(129) }])(
    'without a signature is refused: signing is not switched on: %j',
    (additionalData) => {
      const notice = structuredClone(signedNotice({})) as {
        notificationItems: [{ NotificationRequestItem: Record<string, unknown> }]
      }
      notice.notificationItems[0].NotificationRequestItem.additionalData = additionalData
      expect(notices.read(notice)).toMatchObject({ events: [], refused: 1, damaged: 0 })
    },
  )

  it.each([
    'pspReference',
    'originalReference',
    'merchantReference',
    'eventCode',
    'success',
    'amount',
  ])('is refused when its %s was changed', (field) => {
    const notice = structuredClone(signedNotice(change({ eventCode: 'REFUND' }))) as {
      notificationItems: [{ NotificationRequestItem: Record<string, unknown> }]
    }
    const item = notice.notificationItems[0].NotificationRequestItem
    const other: Record<string, unknown> = {
      amount: { currency: 'BRL', value: 1 },
      success: 'false',
      eventCode: 'CAPTURE',
    }
    item[field] = other[field] ?? `${String(item[field])}1`
    expect(notices.read(notice)).toMatchObject({ events: [], refused: 1 })
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'live'],
    ['another object', { paymentId: '1' }],
    ['more items than there are', { live: 'false', notificationItems: Array(101).fill({}) }],
  ])('is none when it is %s', (_, body) => {
    expect(notices.read(body)).toEqual({ kind: 'none' })
  })

  it('skips items in another form', () => {
    const { notificationItems } = signedNotice({}) as { notificationItems: object[] }
    const [good] = notificationItems
    const items = [{}, good, { NotificationRequestItem: { pspReference: PAYMENT } }, null]
    const reading = notices.read({ live: 'false', notificationItems: items })
    expect(reading).toMatchObject({ refused: 0, damaged: 3, events: [{ change: 'approved' }] })
  })

  it('of a live account is marked live', async () => {
    const account = enteredAccount(ADYEN, 'live', {
      ...answers,
      livePrefix: '1797a841fbb37ca7-Loja',
    })
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const live = ADYEN.connect(account, { clock: testClock(), log: silent })
    expect(live.notices.read(signedNotice({}))).toMatchObject({ events: [], refused: 1 })
    expect(live.notices.read({ ...signedNotice({}), live: 'true' })).toMatchObject({ refused: 0 })
    await live.acquirer.close()
  })
})

describe('the official library', () => {
  const require = createRequire(import.meta.url)
  const { hmacValidator } = require('@adyen/api-library') as { hmacValidator: typeof HmacValidator }
  const validator = new hmacValidator()
  const items = noticeExamples().flatMap(([name, body]) => {
    const notice = body as { notificationItems?: { NotificationRequestItem: never }[] }
    return (notice.notificationItems ?? []).map(
      ({ NotificationRequestItem: item }) => [name, item] as const,
    )
  })

  it.each(items)('agrees on the signature of %s', (_, item: Parameters<typeof signatureOf>[0]) => {
    const ours = signatureOf(item, ADYEN_ANSWERS.hmacKey)
    expect(ours).toBe(validator.calculateHmac(item as never, ADYEN_ANSWERS.hmacKey))
    const signed = { ...item, additionalData: { hmacSignature: ours } }
    expect(validator.validateHMAC(signed as never, ADYEN_ANSWERS.hmacKey)).toBe(true)
  })
})

describe('an event', () => {
  const held: HeldPayment = {
    reference: 'cofrep1042',
    paymentId: PAYMENT,
    chargedMinor: minorUnits(12_990),
    refunds: [
      { reference: 'cofrer7', returnId: CHANGE, amountMinor: minorUnits(4000) },
      { reference: 'cofrer8', returnId: undefined, amountMinor: minorUnits(5000) },
    ],
  }
  const part = { amount: { currency: 'BRL', value: 4000 } }
  const refund = (changes: NoticeChanges) =>
    change({ eventCode: 'REFUND', merchantReference: 'cofrer7', ...part, ...changes })

  it.each<[string, NoticeChanges, object]>([
    ['the payment', {}, { kind: 'payment' }],
    ['its capture', change({ eventCode: 'CAPTURE' }), { kind: 'payment' }],
    ['its chargeback', change({ eventCode: 'CHARGEBACK', ...part }), { kind: 'payment' }],
    ['a refund', refund({}), { kind: 'refund', reference: 'cofrer7' }],
    [
      'a refund, told under the payment’s reference',
      refund({ merchantReference: 'cofrep1042' }),
      { kind: 'refund', reference: 'cofrer7' },
    ],
    [
      'a refund before its answer',
      refund({
        merchantReference: 'cofrer8',
        pspReference: 'PSP3',
        amount: { currency: 'BRL', value: 5000 },
      }),
      { kind: 'refund', reference: 'cofrer8' },
    ],
    [
      'a refund that the store made at Adyen',
      refund({ merchantReference: 'cofrep1042', pspReference: 'PSP4' }),
      { kind: 'foreign_refund' },
    ],
  ])('fits %s', (_, changes, fit) => {
    expect(notices.fit(eventOf(changes), held)).toEqual(fit)
  })

  it.each<[string, NoticeChanges]>([
    ['another payment', { pspReference: 'PSP0000000000009' }],
    ['another amount', part],
    ['another reference', { merchantReference: 'cofrep1' }],
    ['another capture', change({ eventCode: 'CAPTURE', ...part })],
    [
      'a chargeback of more than was charged',
      change({ eventCode: 'CHARGEBACK', amount: { currency: 'BRL', value: 12_991 } }),
    ],
    ['a refund of another amount', refund({ amount: { currency: 'BRL', value: 4001 } })],
    ['a refund under another name', refund({ pspReference: 'PSP5' })],
    ['a refund of another payment', refund({ originalReference: 'PSP0000000000009' })],
    [
      'a failed refund of nobody',
      refund({ eventCode: 'REFUND_FAILED', merchantReference: 'x', pspReference: 'PSP6' }),
    ],
  ])('contradicts the stored payment: %s', (_, changes) => {
    expect(notices.fit(eventOf(changes), held)).toEqual({ kind: 'contradiction' })
  })

  describe('of a payment that is captured later', () => {
    const HELD = { reference: 'cofrea1042', captureId: CHANGE, amountMinor: minorUnits(4000) }
    const open = { ...held, captures: [] }
    const asked = { ...held, captures: [{ ...HELD, captureId: undefined }] }
    const captured = { ...held, captures: [HELD] }
    const capture = (changes: NoticeChanges = {}) =>
      change({ eventCode: 'CAPTURE', merchantReference: 'cofrea1042', ...part, ...changes })
    const own = { kind: 'capture', reference: 'cofrea1042' }

    it.each<[string, HeldPayment, NoticeChanges, object]>([
      ['its capture before the answer', asked, capture(), own],
      ['its capture', captured, capture(), own],
      ['its refused capture', captured, capture({ success: 'false' }), own],
      ['its failed capture', captured, capture({ eventCode: 'CAPTURE_FAILED' }), own],
      [
        'its capture, reported under the payment’s reference',
        captured,
        capture({ merchantReference: 'cofrep1042' }),
        own,
      ],
      [
        'a capture that the store made at Adyen',
        open,
        capture({ merchantReference: 'cofrep1042' }),
        { kind: 'foreign_capture' },
      ],
      ['its end without a capture', open, { eventCode: 'EXPIRE' }, { kind: 'payment' }],
      ['its cancel', open, change({ eventCode: 'CANCELLATION' }), { kind: 'payment' }],
    ])('fits %s', (_, stored, changes, fit) => {
      expect(notices.fit(eventOf(changes), stored)).toEqual(fit)
    })

    it.each<[string, HeldPayment, NoticeChanges]>([
      ['another amount', captured, capture({ amount: { currency: 'BRL', value: 4001 } })],
      ['another capture under its name', captured, capture({ pspReference: 'PSP5' })],
      ['a capture of another payment', asked, capture({ originalReference: 'PSP0000000000009' })],
      [
        'a refused capture that the store requested at Adyen',
        open,
        capture({ merchantReference: 'cofrep1042', success: 'false' }),
      ],
      [
        'a capture of more than was authorized',
        open,
        capture({
          merchantReference: 'cofrep1042',
          amount: { currency: 'BRL', value: 12_991 },
        }),
      ],
    ])('contradicts the stored payment: %s', (_, stored, changes) => {
      expect(notices.fit(eventOf(changes), stored)).toEqual({ kind: 'contradiction' })
    })
  })

  it('fits by only the reference before the payment’s answer arrived', () => {
    const early = { ...held, paymentId: undefined }
    expect(notices.fit(eventOf({}), early)).toEqual({ kind: 'payment' })
    expect(notices.fit(eventOf({ merchantReference: 'cofrep1' }), early)).toEqual({
      kind: 'contradiction',
    })
  })
})
