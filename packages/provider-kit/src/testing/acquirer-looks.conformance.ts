// A look-up returns the acquirer's records, and `absent` only if the acquirer reports it.
import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { CHARGED, KEY, untilKnown } from '../../test/payments.js'
import { effectOf, failuresOf } from './acquirer-failures.conformance.js'
import { PART, type Stage, shopOf } from './acquirer-stage.conformance.js'

const UNDECIDED = ['unknown', 'not-sent']

export function describeLooks(stage: Stage): void {
  const { driver } = stage
  const { cancel, charge, find, pay, refund, tally } = shopOf(stage)

  it('is looked up if its driver supports it', () => {
    expect(stage.connection.acquirer.find !== undefined).toBe(driver.finds)
  })

  describe.runIf(driver.finds)('a look', () => {
    it('finds nothing where nothing was charged, or another order', async () => {
      expect(await find()).toEqual({ kind: 'absent' })
      await pay()
      const key = { ...KEY, transactionCode: '1043' }
      expect(await find({ key })).toEqual({ kind: 'absent' })
    })

    it('finds an approved payment by either name, and its returns', async () => {
      const payment = await pay()
      const { paymentId } = payment
      const found = { state: 'approved', payment: { paymentId }, surplus: [], disputes: [] }
      for (const name of [paymentId, undefined])
        expect(await find({ paymentId: name })).toMatchObject({
          kind: 'done',
          value: { ...found, returnedMinor: 0 },
        })
      await untilKnown(stage.at.clock, (earlier) => refund(payment, { earlier }))
      for (const name of [paymentId, undefined])
        expect(await find({ paymentId: name })).toMatchObject({
          kind: 'done',
          value: { ...found, returnedMinor: PART },
        })
    })

    it('finds a payment that was returned in full', async () => {
      const payment = await pay()
      await untilKnown(stage.at.clock, (earlier) => cancel(payment, { earlier }))
      expect(await find({ paymentId: payment.paymentId })).toMatchObject({
        kind: 'done',
        value: { state: 'returned', returnedMinor: CHARGED },
      })
    })

    it('finds a declined one, and why it was declined', async () => {
      const { amountMinor } = stage.orderOf(driver.declined.order)
      await charge(driver.declined.order)
      expect(await find({ amountMinor })).toMatchObject({
        kind: 'done',
        value: {
          state: 'declined',
          decline: { reason: driver.declined.reason },
          returnedMinor: minorUnits(0),
        },
      })
      expect(tally()).toMatchObject({ attempts: 1 })
    })

    it.each(failuresOf(driver))('that is answered with %s decides nothing', async (_, failure) => {
      const { paymentId } = await pay()
      for (const name of [paymentId, undefined]) {
        stage.at.disturbances.add({ effect: effectOf(failure), times: 9 })
        const answer = await find({ paymentId: name })
        expect(UNDECIDED).toContain(answer.kind)
        stage.at.disturbances.clear()
      }
    })
  })
}
