import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { NOW_MS } from '../../../gateway/src/gateway.fixture.js'
import { intentOf } from '../../../gateway/src/intent.fixture.js'
import { authorizedCapture } from '../../../gateway/src/model/transaction/capture.js'
import { paymentFigures } from './payment-figures.js'

const AUTHORIZED = authorizedCapture(NOW_MS, undefined)
const card = { open: false, cardBin: '411111', subType: 'visa' } as const

function figuresOf(changes: Parameters<typeof intentOf>[1]) {
  const transaction = intentOf(1, { ...card, amountMinor: minorUnits(10_000), ...changes })
  return paymentFigures({ transaction, refunds: [], notifications: [] }).map(
    ({ figure, amount }) => [figure, amount],
  )
}

describe('the figures of a card that is captured later', () => {
  it('have nothing paid, approved or declined until it is captured', () => {
    expect(figuresOf({ capture: AUTHORIZED })).toEqual([['created', 10_000]])
    const released = { ...AUTHORIZED, state: 'released', releasedBy: 'void' } as const
    expect(figuresOf({ status: 'CANCELLED', capture: released })).toEqual([['created', 10_000]])
  })

  it('have what was captured', () => {
    const part = { amountMinor: minorUnits(4_000), chargedMinor: minorUnits(4_000) }
    const capture = { ...AUTHORIZED, state: 'captured', ...part } as const
    expect(figuresOf({ status: 'COMPLETE', paidAtMs: NOW_MS, capture })).toEqual([
      ['created', 10_000],
      ['paid', 4_000],
      ['approved', 4_000],
    ])
  })
})
