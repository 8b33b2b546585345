import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen } from '../../test/simulated-adyen.js'

const LATER = { additionalData: { manualCapture: 'true' } }

describe('after a payment at the simulated Adyen', () => {
  let adyen: TestAdyen
  beforeEach(async () => {
    adyen = await openTestAdyen()
  })
  afterEach(() => adyen.close())

  const ask = async (psp: string, what: string, body: object = {}) => {
    const path = `/payments/${psp}/${what}`
    const answer = await adyen.post(path, { merchantAccount: MERCHANT, ...body })
    expect(answer).toMatchObject({ status: 201, json: { status: 'received' } })
    return answer.body.pspReference
  }
  const amountOf = (value: number) => ({ amount: { currency: 'BRL', value } })
  /** The notices after the authorisation. */
  const notices = async () => (await adyen.notices()).slice(1)
  const eventsNotified = async () =>
    (await notices()).map(({ eventCode, success }) => `${eventCode} ${success}`)

  it('refunds parts, up to what was captured', async () => {
    const { pspReference } = await adyen.pay('order')
    const first = await ask(pspReference, 'refunds', { ...amountOf(9_000), reference: 'r1' })
    await ask(pspReference, 'refunds', { ...amountOf(4_000), reference: 'r2' })
    await ask(pspReference, 'refunds', { ...amountOf(3_990) })
    expect(await notices()).toMatchObject([
      {
        eventCode: 'REFUND',
        success: 'true',
        pspReference: first,
        originalReference: pspReference,
        merchantReference: 'r1',
        amount: { value: 9_000 },
      },
      { success: 'false', merchantReference: 'r2', reason: 'Insufficient balance on payment' },
      { success: 'true', merchantReference: 'order' },
    ])
    const tally = { charges: 1, chargedMinor: 12_990, refunds: 2, refundedMinor: 12_990 }
    expect(adyen.adyen.tallyOf('order')).toMatchObject(tally)
  })

  it('captures a waiting payment once, at most what was authorised', async () => {
    const { pspReference } = await adyen.pay('order', LATER)
    await ask(pspReference, 'captures', amountOf(12_991))
    const capture = await ask(pspReference, 'captures', { ...amountOf(10_000), reference: 'c1' })
    await ask(pspReference, 'captures', amountOf(2_990))
    expect(await notices()).toMatchObject([
      { eventCode: 'CAPTURE', success: 'false', reason: 'Insufficient balance on payment' },
      {
        eventCode: 'CAPTURE',
        success: 'true',
        pspReference: capture,
        originalReference: pspReference,
        merchantReference: 'c1',
        amount: { value: 10_000 },
      },
      { eventCode: 'CAPTURE', success: 'false', merchantReference: 'order' },
    ])
    const tally = { charges: 1, captures: 1, capturedMinor: 10_000 }
    expect(adyen.adyen.tallyOf('order')).toMatchObject(tally)
  })

  it('refunds no more than the captured part', async () => {
    const { pspReference } = await adyen.pay('order', LATER)
    await ask(pspReference, 'captures', amountOf(4_000))
    await ask(pspReference, 'refunds', amountOf(4_001))
    await ask(pspReference, 'reversals')
    expect(await eventsNotified()).toEqual([
      'CAPTURE true',
      'REFUND false',
      'CANCEL_OR_REFUND true',
    ])
    expect(adyen.adyen.tallyOf('order')).toMatchObject({ refunds: 1, refundedMinor: 4_000 })
  })

  it('lets an authorization expire, and captures and cancels nothing afterwards', async () => {
    const { controls } = adyen.adyen
    const { pspReference } = await adyen.pay('order', LATER)
    controls.expire(pspReference)
    await ask(pspReference, 'captures', amountOf(12_990))
    await ask(pspReference, 'cancels')
    const [expired, ...later] = await notices()
    expect(expired).toMatchObject({
      eventCode: 'EXPIRE',
      pspReference,
      success: 'true',
      amount: { value: 12_990 },
    })
    expect(expired).not.toHaveProperty('originalReference')
    expect(later).toMatchObject([
      { eventCode: 'CAPTURE', success: 'false' },
      { eventCode: 'CANCELLATION', success: 'false', originalReference: pspReference },
    ])
    expect(adyen.adyen.tallyOf('order')).toMatchObject({ charges: 1, captures: 0, cancels: 0 })
    const captured = await adyen.pay('captured')
    for (const psp of [pspReference, captured.pspReference])
      expect(() => {
        controls.expire(psp)
      }).toThrow(RangeError)
  })

  it('cancels uncaptured payments, and no others', async () => {
    const open = await adyen.pay('open', LATER)
    await ask(open.pspReference, 'refunds', amountOf(1))
    await ask(open.pspReference, 'cancels', { reference: 'c1' })
    await ask(open.pspReference, 'cancels')
    await ask(open.pspReference, 'captures', amountOf(1))
    expect(await eventsNotified()).toEqual([
      'REFUND false',
      'CANCELLATION true',
      'CANCELLATION false',
      'CAPTURE false',
    ])
    expect(adyen.adyen.tallyOf('open')).toMatchObject({ charges: 1, cancels: 1, refunds: 0 })
    const captured = await adyen.pay('captured')
    await ask(captured.pspReference, 'cancels')
    expect((await adyen.notices()).at(-1)).toMatchObject({ success: 'false' })
  })

  it('reverses: cancels or refunds, whichever applies', async () => {
    const open = await adyen.pay('open', LATER)
    await ask(open.pspReference, 'reversals')
    const captured = await adyen.pay('captured')
    await ask(captured.pspReference, 'reversals')
    const reversals = (await adyen.notices()).filter(
      ({ eventCode }) => eventCode === 'CANCEL_OR_REFUND',
    )
    expect(reversals.map(({ additionalData }) => additionalData['modification.action'])).toEqual([
      'cancel',
      'refund',
    ])
  })

  it("cancels by the shop's reference, where no answer ever arrived", async () => {
    await adyen.pay('order', LATER)
    const cancel = (paymentReference: string) =>
      adyen.post('/cancels', { merchantAccount: MERCHANT, paymentReference, reference: 'c1' })
    expect(await cancel('order')).toMatchObject({
      status: 201,
      json: { paymentReference: 'order', reference: 'c1', status: 'received' },
    })
    await cancel('none')
    expect(await notices()).toMatchObject([
      { eventCode: 'TECHNICAL_CANCEL', success: 'true', merchantReference: 'order' },
      { eventCode: 'TECHNICAL_CANCEL', success: 'false', merchantReference: 'none' },
    ])
    const theirs = { merchantAccount: 'Another', paymentReference: 'order' }
    expect((await adyen.post('/cancels', theirs)).status).toBe(403)
  })

  it('holds a refund until a person ends it, and takes it back afterwards', async () => {
    adyen.adyen.conditions.refunds = 'held'
    const { controls } = adyen.adyen
    const { pspReference } = await adyen.pay('order')
    const [first, second, third] = [
      await ask(pspReference, 'refunds', amountOf(1_000)),
      await ask(pspReference, 'refunds', amountOf(2_000)),
      await ask(pspReference, 'refunds', amountOf(3_000)),
    ]
    expect(await notices()).toEqual([])
    controls.endRefund(first, 'done')
    controls.endRefund(second, 'refused')
    controls.endRefund(third, 'done')
    controls.undoRefund(first, 'failed')
    controls.undoRefund(third, 'reversed')
    expect(await eventsNotified()).toEqual([
      'REFUND true',
      'REFUND false',
      'REFUND true',
      'REFUND_FAILED true',
      'REFUNDED_REVERSED true',
    ])
    expect((await notices()).map((item) => item.pspReference)).toEqual([
      first,
      second,
      third,
      first,
      third,
    ])
    expect(adyen.adyen.tallyOf('order').refunds).toBe(0)
    for (const again of [
      () => {
        controls.endRefund(first, 'done')
      },
      () => {
        controls.undoRefund(second, 'failed')
      },
      () => {
        controls.endRefund('none', 'done')
      },
    ])
      expect(again).toThrow(RangeError)
  })

  it('fails a capture and a refund for the names that are documented for it', async () => {
    await adyen.pay('order', {}, { holderName: 'capture failed' })
    expect(await eventsNotified()).toEqual(['CAPTURE_FAILED true'])
    const { pspReference } = await adyen.pay('other', {}, { holderName: 'refund failed' })
    await ask(pspReference, 'refunds', amountOf(1_000))
    expect((await eventsNotified()).slice(2)).toEqual(['REFUND true', 'REFUND_FAILED true'])
    expect(adyen.adyen.tallyOf('other').refunds).toBe(0)
  })

  it('lets a capture that waited fail, too', async () => {
    const { pspReference } = await adyen.pay('order', LATER, { holderName: 'capture failed' })
    await ask(pspReference, 'captures', amountOf(12_990))
    expect(await eventsNotified()).toEqual(['CAPTURE true', 'CAPTURE_FAILED true'])
  })

  it('is disputed, and the dispute reversed', async () => {
    const { controls } = adyen.adyen
    const { pspReference } = await adyen.pay('order')
    controls.chargeBack(pspReference)
    controls.reverseChargeback(pspReference)
    const [chargeback, reversed] = await notices()
    expect(chargeback).toMatchObject({ eventCode: 'CHARGEBACK', originalReference: pspReference })
    expect(reversed).toMatchObject({
      eventCode: 'CHARGEBACK_REVERSED',
      pspReference: chargeback?.pspReference,
    })
    expect(() => {
      controls.reverseChargeback(pspReference)
    }).toThrow(RangeError)
    expect(() => {
      controls.failCapture('none')
    }).toThrow(RangeError)
  })

  it('ends pending payments', async () => {
    const { controls } = adyen.adyen
    const pending = { holderName: 'PENDING' }
    const [first, second] = [await adyen.pay('p1', {}, pending), await adyen.pay('p2', {}, pending)]
    expect(first.resultCode).toBe('Received')
    expect(await adyen.notices()).toEqual([])
    controls.endPayment(first.pspReference, 'authorised')
    controls.endPayment(second.pspReference, 'refused')
    expect(await adyen.notices()).toMatchObject([
      { eventCode: 'AUTHORISATION', success: 'true', merchantReference: 'p1' },
      { eventCode: 'AUTHORISATION', success: 'false', merchantReference: 'p2' },
    ])
    expect(adyen.adyen.tallyOf('p1').charges).toBe(1)
    expect(() => {
      controls.endPayment(first.pspReference, 'refused')
    }).toThrow(RangeError)
  })

  it.each(['captures', 'refunds', 'cancels', 'reversals'])(
    'refuses %s of a payment that it does not have',
    async (what) => {
      const money = what === 'captures' || what === 'refunds' ? amountOf(1) : {}
      const body = { merchantAccount: MERCHANT, ...money }
      const answer = await adyen.post(`/payments/none/${what}`, body)
      expect(answer).toMatchObject({ status: 422, body: { errorCode: '167' } })
    },
  )
})
