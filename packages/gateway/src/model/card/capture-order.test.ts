import { minorUnits } from '@cofre/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOW_MS } from '../../gateway.fixture.js'
import { intentOf } from '../../intent.fixture.js'
import type { Refund } from '../refund/refund.js'
import { authorizedCapture } from '../transaction/capture.js'
import type { Transaction } from '../transaction/transaction.js'
import { type CaptureOrder, type WantedEnd, judgeEnd } from './capture-order.js'
import { chargedShare, exceedsCharge } from './charged-share.js'

const AUTHORIZED = authorizedCapture(NOW_MS, undefined)
const amounts = { amountMinor: minorUnits(10_000), chargedMinor: minorUnits(10_478) }
const authorized = intentOf(1, { open: false, capture: AUTHORIZED, ...amounts })
const ended = (status: Transaction['status'], capture: Partial<typeof AUTHORIZED>) => ({
  ...authorized,
  status,
  capture: { ...AUTHORIZED, ...capture },
})
const captured = ended('COMPLETE', {
  state: 'captured',
  amountMinor: minorUnits(4_000),
  chargedMinor: minorUnits(4_191),
})
const released = ended('CANCELLED', { state: 'released', releasedBy: 'void' })

const BY = { orderedBy: 'store', orderedAtMs: NOW_MS } as const
const capture = (amount?: number): WantedEnd => ({
  operation: 'capture',
  amountMinor: amount === undefined ? undefined : minorUnits(amount),
  ...BY,
})
const cancel: WantedEnd = { operation: 'void', ...BY }
const ordered = (operation: CaptureOrder['operation'], amount: number): CaptureOrder => ({
  operation,
  amountMinor: minorUnits(amount),
  chargedMinor: minorUnits(amount),
  orderedBy: 'person:ana',
  orderedAtMs: NOW_MS - 1,
})

describe('an order that ends an authorized payment', () => {
  it.each([
    ['all of it', capture(), 10_000, 10_478],
    ['a part, with its share of the interest', capture(4_000), 4_000, 4_191],
    ['none of it', cancel, 10_000, 10_478],
  ])('takes %s', (_, wanted, amountMinor, chargedMinor) => {
    const { operation } = wanted
    const order = { operation, amountMinor, chargedMinor, ...BY }
    expect(judgeEnd(authorized, undefined, wanted)).toEqual({ kind: 'ordered', order })
  })

  it.each([
    ['a capture of the same amount', ordered('capture', 4_000), capture(4_000)],
    ['a capture of the whole amount', ordered('capture', 10_000), capture()],
    ['a void', ordered('void', 10_000), cancel],
  ])('gets the earlier order of %s', (_, order, wanted) => {
    expect(judgeEnd(authorized, order, wanted)).toEqual({ kind: 'ordered', order })
  })

  it.each([
    ['another amount', authorized, ordered('capture', 4_000), capture(), 'capture', 4_000],
    ['a void', authorized, ordered('capture', 4_000), cancel, 'capture', 4_000],
    ['a capture', authorized, ordered('void', 10_000), capture(), 'void', 10_000],
    ['another amount, once captured', captured, undefined, capture(4_001), 'capture', 4_000],
    ['a void, once captured', captured, undefined, cancel, 'capture', 4_000],
  ] as const)(
    'is overtaken if it wants %s',
    (_, transaction, standing, wanted, by, amountMinor) => {
      const judged = { kind: 'overtaken', by, amountMinor }
      expect(judgeEnd(transaction, standing, wanted)).toEqual(judged)
    },
  )

  it.each([
    ['captured', captured, capture(4_000)],
    ['released', released, cancel],
    ['not-authorized', released, capture()],
    ['not-authorized', intentOf(1, { status: 'COMPLETE' }), capture()],
    ['not-authorized', intentOf(1), cancel],
    ['too-much', authorized, capture(10_001)],
  ] as const)('is %s', (kind, transaction, wanted) => {
    expect(judgeEnd(transaction, undefined, wanted)).toEqual({ kind })
  })

  it('and the refunds of a captured part sum to its charge, to the centavo', () => {
    const anyOrder = fc.record({
      amount: fc.integer({ min: 20, max: 1_000_000 }),
      interest: fc.double({ min: 0, max: 1, noNaN: true }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(anyOrder, ({ amount, interest, part, cut }) => {
        const wanted = Math.max(1, Math.round(amount * part))
        const whole = {
          amountMinor: minorUnits(amount),
          chargedMinor: minorUnits(amount + Math.round(amount * interest)),
        }
        const judged = judgeEnd({ ...authorized, ...whole }, undefined, capture(wanted))
        if (judged.kind !== 'ordered') throw new Error(judged.kind)
        const { amountMinor, chargedMinor } = judged.order
        expect(amountMinor).toBe(wanted)
        const share = (wanted * whole.chargedMinor) / amount
        expect(Math.abs(chargedMinor - share)).toBeLessThanOrEqual(0.5)
        if (wanted === amount) expect(chargedMinor).toBe(whole.chargedMinor)
        const transaction = {
          ...whole,
          capture: { ...AUTHORIZED, state: 'captured', amountMinor, chargedMinor } as const,
        }
        const first = Math.round(wanted * cut)
        const refunds: Pick<Refund, 'status' | 'amountMinor' | 'chargedMinor'>[] = []
        for (const refunded of [first, wanted - first].map(minorUnits))
          refunds.push({
            status: 'PROCESSED',
            amountMinor: refunded,
            chargedMinor: chargedShare(refunded, { transaction, refunds }),
          })
        const sum = refunds.reduce((total, refund) => total + refund.chargedMinor!, 0)
        expect(sum).toBe(chargedMinor)
        expect(exceedsCharge({ transaction, refunds })).toBe(false)
      }),
    )
  })
})
