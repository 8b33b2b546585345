import { DAY_MS, SECOND_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestCielo, openTestCielo, saleOf } from '../../test/simulated-cielo.js'

describe('after a sale at the simulated Cielo', () => {
  let cielo: TestCielo
  beforeEach(async () => {
    cielo = await openTestCielo()
  })
  afterEach(() => cielo.close())

  const open = async (order: string) => (await cielo.sell(order, { Capture: false })).PaymentId
  const sell = async (order: string) => (await cielo.sell(order)).PaymentId
  const read = async (id: string) => (await cielo.get(`/${id}`)).body.Payment
  const next = () => {
    cielo.clock.advance(5 * SECOND_MS)
  }

  it('captures once, the whole or a part', async () => {
    const id = await open('order')
    expect((await cielo.put(`${id}/capture?amount=12991`)).body).toMatchObject({
      Status: 1,
      ReturnCode: '842',
    })
    expect((await cielo.put(`${id}/capture?amount=2000`)).body).toMatchObject({
      Status: 2,
      ReturnCode: '6',
    })
    expect((await cielo.put(`${id}/capture`)).json).toMatchObject([{ Code: 308 }])
    expect(await read(id)).toMatchObject({
      Status: 2,
      Amount: 12_990,
      CapturedAmount: 2_000,
      CapturedDate: expect.any(String) as string,
    })
    expect(cielo.cielo.tallyOf('order')).toMatchObject({ captures: 1, capturedMinor: 2_000 })
    expect((await cielo.put('none/capture')).status).toBe(404)
  })

  it('captures for as many days as the account has, and releases the rest', async () => {
    const week = await open('week')
    const account = await cielo.openAccount({ label: 'month', captureDays: 29 })
    const headers = { MerchantId: account.merchantId, MerchantKey: account.merchantKey.reveal() }
    const { Payment } = (await cielo.post(saleOf('month', { Capture: false }), headers)).body
    cielo.clock.advance(7 * DAY_MS)
    expect(await read(week)).toMatchObject({ Status: 1 })
    cielo.clock.advance(1)
    const late = await cielo.put(`${week}/capture`)
    expect(late.body).toMatchObject({ Status: 10, ReturnCode: '843' })
    expect((await cielo.put(`${week}/void`)).json).toMatchObject([{ Code: 309 }])
    expect(await read(week)).toMatchObject({ Status: 10 })
    expect((await read(week)).CapturedAmount).toBeUndefined()
    cielo.clock.advance(22 * DAY_MS - 1)
    const path = `/1/sales/${Payment.PaymentId}/capture`
    const last = await cielo.call({ method: 'PUT', path, headers })
    expect(last.body).toMatchObject({ Status: 2, ReturnCode: '6' })
  })

  it('refunds only what was captured', async () => {
    const id = await open('order')
    await cielo.put(`${id}/capture?amount=2000`)
    cielo.clock.advance(DAY_MS)
    expect((await cielo.put(`${id}/void?amount=2001`)).body.ReturnCode).toBe('102')
    expect((await cielo.put(`${id}/void?amount=2000`)).body).toMatchObject({
      Status: 11,
      ReturnCode: '9',
    })
    expect(await read(id)).toMatchObject({ CapturedAmount: 2_000, VoidedAmount: 2_000 })
  })

  it('cancels an uncaptured sale at any time, and as a whole', async () => {
    const id = await open('order')
    expect((await cielo.put(`${id}/void?amount=1`)).json).toMatchObject([{ Code: 309 }])
    expect((await cielo.put(`${id}/void`)).body).toMatchObject({ Status: 10, ReturnCode: '9' })
    expect((await cielo.put(`${id}/void`)).json).toMatchObject([{ Code: 309 }])
    expect((await cielo.put(`${id}/capture`)).json).toMatchObject([{ Code: 308 }])
    expect(cielo.cielo.tallyOf('order')).toMatchObject({
      charges: 1,
      captures: 0,
      cancels: 1,
      refunds: 0,
    })
  })

  it('refunds from the next day on, in parts, five seconds apart, and never more', async () => {
    const id = await sell('order')
    expect((await cielo.put(`${id}/void`)).json).toMatchObject([{ Code: 312 }])
    cielo.clock.advance(DAY_MS)
    const first = await cielo.put(`${id}/void?amount=2990`)
    expect(first.body).toMatchObject({ Status: 2, ReturnCode: '0' })
    expect((await cielo.put(`${id}/void?amount=1000`)).body.ReturnCode).toBe('475')
    next()
    expect((await cielo.put(`${id}/void?amount=10001`)).body.ReturnCode).toBe('102')
    const rest = await cielo.put(`${id}/void`)
    expect(rest.body).toMatchObject({ Status: 11, ReturnCode: '9' })
    expect(await read(id)).toMatchObject({ Status: 11, VoidedAmount: 12_990 })
    expect(cielo.cielo.tallyOf('order')).toMatchObject({ refunds: 2, refundedMinor: 12_990 })
  })

  it('refunds by the order, too', async () => {
    await sell('order')
    cielo.clock.advance(DAY_MS)
    expect((await cielo.put('OrderId/order/void')).body).toMatchObject({ Status: 11 })
    expect((await cielo.put('OrderId/none/void')).json).toMatchObject([{ Code: 307 }])
  })

  it('gives nothing back without a balance, or of a refused sale', async () => {
    const id = await sell('order')
    cielo.clock.advance(DAY_MS)
    cielo.cielo.conditions.refunds = 'no-balance'
    expect((await cielo.put(`${id}/void`)).body).toMatchObject({ Status: 2, ReturnCode: '72' })
    const denied = await cielo.sell('no', {}, { CardNumber: '4024007153763192' })
    expect((await cielo.put(`${denied.PaymentId}/void`)).json).toMatchObject([{ Code: 309 }])
    expect((await cielo.put(`${id}/void?amount=1.5`)).json).toMatchObject([{ Code: 108 }])
  })

  const DebitCard = saleOf('x').Payment.CreditCard
  const debit = { Type: 'DebitCard', DebitCard, CreditCard: undefined, Authenticate: true }

  it.each([
    ['credit in one', { Installments: 1 }, 330],
    ['installments', { Installments: 12 }, 690],
    ['debit', debit, 330],
    ['debit of Maestro', { ...debit, DebitCard: { ...DebitCard, Brand: 'Master' } }, 150],
  ])('gives %s back for as many days as Cielo has for it', async (_, payment, days) => {
    const { PaymentId: id } = await cielo.sell('order', { Capture: true, ...payment })
    cielo.clock.advance(days * DAY_MS + 1)
    expect((await cielo.put(`${id}/void`)).body.ReturnCode).toBe('101')
    cielo.clock.advance(-1)
    expect((await cielo.put(`${id}/void`)).body.ReturnCode).toBe('9')
  })

  it('gives one part of a debit back, and no other', async () => {
    const { PaymentId: id } = await cielo.sell('order', { Capture: true, ...debit })
    cielo.clock.advance(DAY_MS)
    expect((await cielo.put(`${id}/void?amount=1`)).body.ReturnCode).toBe('0')
    next()
    expect((await cielo.put(`${id}/void`)).body.ReturnCode).toBe('17')
  })

  it('cancels a capture of the same day if its conditions allow that', async () => {
    const id = await sell('order')
    cielo.cielo.conditions.refunds = 'at-once'
    expect((await cielo.put(`${id}/void`)).body).toMatchObject({ Status: 10, ReturnCode: '9' })
  })

  it('refuses a refund afterwards, and notifies of it', async () => {
    const id = await sell('order')
    cielo.clock.advance(DAY_MS)
    await cielo.put(`${id}/void`)
    cielo.cielo.controls.refuseVoid(id)
    expect((await read(id)).Status).toBe(2)
    expect((await read(id)).VoidedAmount).toBeUndefined()
    expect((await cielo.notices()).at(-1)).toEqual({ PaymentId: id, ChangeType: 5 })
    expect(cielo.cielo.tallyOf('order').refunds).toBe(0)
    expect(() => {
      cielo.cielo.controls.refuseVoid(id)
    }).toThrow(RangeError)
  })
})
