import { minorUnits } from '@cofre/contracts'
import type { Transaction } from '@cofre/gateway/room'
import { describe, expect, it } from 'vitest'
import { type ComparedLine, compareLine } from './settlement-comparison.js'

const WHOLE = 10_478
const PART = 4_191
const CAPTURED = {
  status: 'COMPLETE',
  amountMinor: minorUnits(10_000),
  chargedMinor: minorUnits(WHOLE),
  installments: 1,
  capture: { state: 'captured', amountMinor: minorUnits(4_000), chargedMinor: minorUnits(PART) },
} as Transaction

const compared = (kind: ComparedLine['kind'], grossMinor: number) => {
  const none = { accountId: undefined, endToEndId: undefined }
  const line = { ...none, kind, installment: undefined, installments: undefined, grossMinor }
  const changes = ['charged_back', 'chargeback_reversed'].map((change) => ({ kind: change }))
  const facts = { transaction: CAPTURED, refunds: [], changes, pix: [], before: [] }
  return compareLine(line, facts as unknown as Parameters<typeof compareLine>[1])
}

describe('a line of a payment that was captured in part', () => {
  it.each([
    ['sale', PART],
    ['chargeback', -PART],
    ['chargeback-reversed', PART],
  ] as const)('matches as a %s of what was captured', (kind, grossMinor) => {
    expect(compared(kind, grossMinor)).toEqual({ result: 'matched' })
  })

  it('differs if it has the authorized amount', () => {
    const different = { result: 'different', difference: 'amount', expectedMinor: PART }
    expect(compared('sale', WHOLE)).toEqual(different)
  })
})
