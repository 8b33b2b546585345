import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestCielo, openTestCielo, saleOf } from '../../test/simulated-cielo.js'
import { createCielo } from './cielo.js'

const OPEN_CARD = { CardNumber: '4024007153763199' }

describe('the simulated Cielo', () => {
  let cielo: TestCielo
  beforeEach(async () => {
    cielo = await openTestCielo()
  })
  afterEach(() => cielo.close())

  const read = async (id: string) => (await cielo.get(`/${id}`)).body.Payment

  it('notifies of every change of status, unsigned', async () => {
    const { PaymentId } = await cielo.sell('order', { Capture: false })
    await cielo.put(`${PaymentId}/capture`)
    cielo.cielo.controls.chargeBack(PaymentId)
    cielo.cielo.controls.reverseChargeback(PaymentId)
    cielo.cielo.controls.alertOfFraud(PaymentId)
    cielo.cielo.controls.notify(PaymentId)
    expect(await cielo.notices()).toEqual(
      [1, 1, 7, 7, 8, 1].map((ChangeType) => ({ PaymentId, ChangeType })),
    )
    const { Chargebacks, FraudAlert } = await read(PaymentId)
    expect(Chargebacks).toMatchObject([{ Amount: 12_990, Status: 'Reversed' }])
    expect(FraudAlert).toMatchObject({ IncomingChargeback: false })
  })

  it('notifies twice, never, or without an address not at all', async () => {
    const { conditions, controls } = cielo.cielo
    conditions.notices = 'twice'
    await cielo.sell('twice')
    conditions.notices = 'never'
    await cielo.sell('never')
    conditions.notices = 'once'
    controls.setNoticeUrl(cielo.credentials.merchantId, undefined)
    await cielo.sell('nobody')
    expect(await cielo.notices()).toHaveLength(2)
    expect(() => {
      controls.setNoticeUrl('none', undefined)
    }).toThrow(RangeError)
  })

  it('ends unfinished sales', async () => {
    const { controls } = cielo.cielo
    const [first, second] = [
      await cielo.sell('first', {}, OPEN_CARD),
      await cielo.sell('second', {}, OPEN_CARD),
    ]
    expect(first).toMatchObject({ Status: 0 })
    expect(first.TryAutomaticCancellation).toBeUndefined()
    controls.endSale(first.PaymentId, 'authorized')
    controls.endSale(second.PaymentId, 'denied')
    expect(await read(first.PaymentId)).toMatchObject({ Status: 2, CapturedAmount: 12_990 })
    expect(await read(second.PaymentId)).toMatchObject({ Status: 3 })
    for (const wrong of [
      () => {
        controls.endSale(first.PaymentId, 'denied')
      },
      () => {
        controls.chargeBack(second.PaymentId)
      },
      () => {
        controls.reverseChargeback(first.PaymentId)
      },
      () => {
        controls.notify('none')
      },
    ])
      expect(wrong).toThrow(RangeError)
  })

  it('lets an authorization expire before its time, and nothing else', async () => {
    const { controls } = cielo.cielo
    const { PaymentId } = await cielo.sell('order', { Capture: false })
    controls.expire(PaymentId)
    expect(await read(PaymentId)).toMatchObject({ Status: 10 })
    expect((await cielo.put(`${PaymentId}/capture`)).body.ReturnCode).toBe('843')
    expect((await cielo.notices()).at(-1)).toEqual({ PaymentId, ChangeType: 1 })
    expect(cielo.cielo.tallyOf('order')).toMatchObject({ charges: 1, captures: 0, cancels: 0 })
    const captured = await cielo.sell('captured')
    for (const id of [PaymentId, captured.PaymentId])
      expect(() => {
        controls.expire(id)
      }).toThrow(RangeError)
  })

  it('disputes no more than was captured', async () => {
    const { PaymentId } = await cielo.sell('order', { Capture: false })
    await cielo.put(`${PaymentId}/capture?amount=2000`)
    cielo.cielo.controls.chargeBack(PaymentId)
    expect((await read(PaymentId)).Chargebacks).toMatchObject([{ Amount: 2_000 }])
  })

  it('cancels by itself what it could not answer, if the shop enabled that', async () => {
    const account = await cielo.openAccount({ label: 'guarded', cancelsUnfinished: true })
    const headers = { MerchantId: account.merchantId, MerchantKey: account.merchantKey.reveal() }
    const { body } = await cielo.post(saleOf('order', {}, OPEN_CARD), headers)
    expect(body.Payment).toMatchObject({ Status: 0, TryAutomaticCancellation: true })
    cielo.cielo.controls.endSale(body.Payment.PaymentId, 'authorized')
    const found = { method: 'GET', path: `/1/sales/${body.Payment.PaymentId}`, headers }
    const answer = await cielo.call({ ...found, port: cielo.queryPort })
    expect(answer.body.Payment.Status).toBe(10)
  })

  it('decides the next authorizations by a test’s queue', async () => {
    const { controls } = cielo.cielo
    const denied = { end: 'denied', returnCode: '51', returnMessage: 'Saldo' } as const
    controls.decideNext({ ...denied, merchantAdviceCode: '03' })
    controls.decideNext({ end: 'pending', returnCode: '', returnMessage: '' })
    controls.decideNext({ end: 'aborted', returnCode: '', returnMessage: '' })
    // A refused call uses up no decision.
    expect((await cielo.post({})).status).toBe(400)
    const sales = [await cielo.sell('a'), await cielo.sell('b'), await cielo.sell('c')]
    expect(sales).toMatchObject([
      { Status: 3, ReturnCode: '51', MerchantAdviceCode: '03' },
      { Status: 12 },
      { Status: 13 },
    ])
    expect((await cielo.sell('d')).Status).toBe(2)
  })

  it('cuts connections before and after it has booked', async () => {
    const cut = (when: 'before' | 'after') => {
      const on = ({ method }: { method: string }) => method !== 'GET'
      cielo.cielo.disturbances.add({ effect: { kind: 'cut', when }, on })
    }
    cut('before')
    await expect(cielo.sell('before')).rejects.toThrow()
    expect((await cielo.get('?merchantOrderId=before')).status).toBe(404)
    cut('after')
    await expect(cielo.sell('after')).rejects.toThrow()
    expect((await cielo.get('?merchantOrderId=after')).status).toBe(200)
    expect(cielo.cielo.tallyOf('after')).toMatchObject({ attempts: 1, charges: 1 })
    // Without an idempotency key, a repetition is a second sale.
    await cielo.sell('after')
    expect(cielo.cielo.tallyOf('after').charges).toBe(2)
  })

  it('gives a test’s answer, and books nothing', async () => {
    const headers = { 'Content-Type': 'text/html' }
    const effect = { kind: 'answer', status: 503, headers, body: '<h1>x</h1>' } as const
    cielo.cielo.disturbances.add({ effect })
    expect(await cielo.post(saleOf('order'))).toMatchObject({ status: 503, text: '<h1>x</h1>' })
    expect(cielo.cielo.tallyOf('order').attempts).toBe(0)
  })
})

describe('a Cielo that is slow', () => {
  it('answers late, after it has booked', async () => {
    const waited: (readonly [ms: number, charges: number])[] = []
    const cielo = await openTestCielo({
      wait: (ms) => Promise.resolve(waited.push([ms, cielo.cielo.tallyOf('order').charges])),
    })
    cielo.cielo.conditions.delayMs = 18_000
    await cielo.sell('order')
    expect(waited).toEqual([[18_000, 1]])
    await cielo.close()
  })

  it('waits by the real time by default', () => {
    const post = () => Promise.resolve({ status: 200 })
    const deps = { clock: { now: () => 0 }, randomBytes: () => new Uint8Array(), post }
    const books = { sales: new Map(), append: () => undefined }
    expect(createCielo({ ...deps, books }).wait).toBeTypeOf('function')
  })

  it('does not start where a port is taken', async () => {
    const cielo = await openTestCielo()
    const { pageUrl, queryPort } = cielo
    await expect(openTestCielo({ queryPort })).rejects.toThrow('EADDRINUSE')
    const pagePort = Number(new URL(pageUrl).port)
    await expect(openTestCielo({ pagePort })).rejects.toThrow('EADDRINUSE')
    await cielo.close()
  })
})
