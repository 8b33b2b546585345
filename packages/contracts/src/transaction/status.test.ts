import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BACKWARD_STEPS,
  NEXT_REFUND_STATUSES,
  CREATION_STATUS,
  TRANSACTION_STATUSES,
  type TransactionStatus,
  mayBecome,
  nextStatuses,
} from './status.js'

const TRANSITIONS: readonly [TransactionStatus, readonly TransactionStatus[]][] = [
  ['PENDING', ['UNDER-REVIEW', 'COMPLETE', 'CANCELLED', 'EXPIRED', 'NOT-PAID']],
  ['UNDER-REVIEW', ['COMPLETE', 'CANCELLED']],
  ['COMPLETE', ['REFUNDED', 'CHARGEBACK']],
  ['REFUNDED', ['REFUNDED', 'CHARGEBACK']],
  ['CANCELLED', []],
  ['EXPIRED', []],
  ['NOT-PAID', []],
  ['CHARGEBACK', []],
]

/** Progress of a payment. */
const STAGES: Readonly<Record<TransactionStatus, number>> = {
  PENDING: 0,
  'UNDER-REVIEW': 1,
  COMPLETE: 2,
  REFUNDED: 3,
  CANCELLED: 4,
  EXPIRED: 4,
  'NOT-PAID': 4,
  CHARGEBACK: 4,
}

describe('mayBecome', () => {
  it('knows every status of the search', () => {
    expect(TRANSITIONS.map(([from]) => from).toSorted()).toEqual(TRANSACTION_STATUSES.toSorted())
  })

  it.each(TRANSITIONS)('lets %s become %j and nothing else', (from, next) => {
    const allowed = TRANSACTION_STATUSES.filter((to) => mayBecome(from, to))
    expect(allowed.toSorted()).toEqual(next.toSorted())
    expect(nextStatuses(from).toSorted()).toEqual(next.toSorted())
  })

  it('never goes backwards, and stays only at a further partial refund', () => {
    const status = fc.constantFrom(...TRANSACTION_STATUSES)
    fc.assert(
      fc.property(status, status, (from, to) => {
        fc.pre(mayBecome(from, to))
        const isPartialRefund = from === 'REFUNDED' && to === 'REFUNDED'
        expect(STAGES[to] > STAGES[from] || isPartialRefund).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('The backward steps', () => {
  const steps = Object.values(BACKWARD_STEPS).flatMap(({ from, to }) =>
    to.map((next) => [from, next] as const),
  )

  it('follow only a failed capture or a reversed chargeback', () => {
    expect(steps).toEqual([
      ['COMPLETE', 'CANCELLED'],
      ['CHARGEBACK', 'COMPLETE'],
      ['CHARGEBACK', 'REFUNDED'],
    ])
  })

  it('of an ended refund lead to its other end', () => {
    expect(NEXT_REFUND_STATUSES).toMatchObject({ PROCESSED: ['REJECTED'], REJECTED: ['PROCESSED'] })
  })

  it.each(steps)('from %s to %s are no ordinary changes', (from, to) => {
    expect(mayBecome(from, to)).toBe(false)
    expect(nextStatuses(from)).not.toContain(to)
  })
})

describe('The status of a creation', () => {
  it.each([
    ['PENDING', 'PENDING'],
    ['UNDER-REVIEW', 'PENDING'],
    ['COMPLETE', 'PAID'],
    ['REFUNDED', 'PAID'],
    ['CHARGEBACK', 'PAID'],
    ['CANCELLED', 'REJECTED'],
    ['EXPIRED', 'REJECTED'],
    ['NOT-PAID', 'REJECTED'],
  ] as const)('calls %s %s', (status, creationStatus) => {
    expect(CREATION_STATUS[status]).toBe(creationStatus)
  })
})
