import { minorUnits, paymentReference } from '@cofre/contracts'
import {
  type AcquirerChange,
  type AcquirerEvent,
  type AcquirerNotices,
  type EventFit,
  type HeldPayment,
} from '@cofre/provider-kit/card'
import { CODE, PAYMENT } from '../refund/charged.fixture.js'

export const KEY = {
  installation: 'test',
  environment: 'production',
  transactionCode: CODE,
} as const
export const CHARGED = 10_000

let eventCount = 0

/**
 * An event of the charge that `storeCharge` stores. Each has its own id, and comes later than the
 * one before.
 */
export function event(change: AcquirerChange, changes: Partial<AcquirerEvent> = {}): AcquirerEvent {
  eventCount += 1
  return {
    id: `${change}:${eventCount}`,
    change,
    reference: paymentReference(KEY),
    paymentId: PAYMENT,
    returnId: undefined,
    amountMinor: minorUnits(CHARGED),
    atMs: Date.UTC(2026, 10, 21) + eventCount,
    detail: undefined,
    ...changes,
  }
}

/** The form of tests' notices, in place of a provider's. */
export type TestNotice =
  | { readonly events: readonly AcquirerEvent[]; readonly refused?: number }
  | { readonly hints: readonly string[] }

/** Accepts every event whose amount fits, like a provider that signs its notices. */
export const testNotices: AcquirerNotices = {
  read(body) {
    const notice = body as Partial<{
      events: readonly AcquirerEvent[]
      refused: number
      hints: readonly string[]
    }>
    if (notice.hints !== undefined) return { kind: 'hints', paymentIds: notice.hints }
    if (notice.events === undefined) return { kind: 'none' }
    return {
      kind: 'events',
      events: notice.events,
      refused: notice.refused ?? 0,
      damaged: 0,
      elsewhere: [],
    }
  },
  fit: fitOf,
}

/** Changes that may concern a part of the charged amount. */
const PARTS: readonly AcquirerChange[] = ['captured', 'charged_back', 'chargeback_reversed']

const CONTRADICTION: EventFit = { kind: 'contradiction' }

function fitOf(event: AcquirerEvent, held: HeldPayment): EventFit {
  const { amountMinor, change, paymentId, reference, returnId } = event
  if (held.paymentId !== undefined && paymentId !== held.paymentId) return CONTRADICTION
  if (change !== 'refunded' && change !== 'refund_failed') {
    const isPart = PARTS.includes(change)
    const fits = isPart || amountMinor === held.chargedMinor || paymentId === undefined
    return fits && reference === held.reference ? { kind: 'payment' } : CONTRADICTION
  }
  const refund = held.refunds.find(
    (one) => one.reference === reference || one.returnId === returnId,
  )
  if (refund !== undefined)
    return refund.amountMinor === amountMinor
      ? { kind: 'refund', reference: refund.reference }
      : CONTRADICTION
  const isForeign = change === 'refunded' && reference === held.reference
  return isForeign ? { kind: 'foreign_refund' } : CONTRADICTION
}
