import { DAY_MS, minorUnits } from '@cofre/contracts'
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
  const created = ['created', 10_000]
  const approved = ['approved', 10_000]

  it('are authorized, and not paid, until it is captured or released', () => {
    const authorized = [created, ['authorized', 10_000], approved]
    expect(figuresOf({ capture: AUTHORIZED })).toEqual(authorized)
    expect(figuresOf({ capture: AUTHORIZED, status: 'UNDER-REVIEW' })).toEqual(authorized)
  })

  it('keep its approval once it is released', () => {
    const released = { ...AUTHORIZED, state: 'released', releasedBy: 'void' } as const
    expect(figuresOf({ status: 'CANCELLED', capture: released })).toEqual([created, approved])
  })

  it('have only what was captured as paid', () => {
    const part = { amountMinor: minorUnits(4_000), chargedMinor: minorUnits(4_200) }
    const capture = { ...AUTHORIZED, state: 'captured', ...part } as const
    expect(figuresOf({ status: 'COMPLETE', paidAtMs: NOW_MS, capture })).toEqual([
      created,
      ['paid', 4_000],
      approved,
    ])
  })

  it('have its approval on the day of its authorization', () => {
    const capture = { ...AUTHORIZED, state: 'captured' } as const
    const paidAtMs = NOW_MS + 3 * DAY_MS
    const transaction = intentOf(1, { ...card, status: 'COMPLETE', paidAtMs, capture })
    const parts = paymentFigures({ transaction, refunds: [], notifications: [] })
    const dayOf = (name: string) => parts.find(({ figure }) => figure === name)?.day ?? 0
    expect(dayOf('paid') - dayOf('approved')).toBe(3)
  })
})
