// The ways in which an acquirer has reclaimed a charge's money, by its applied events.
import type { AcquirerChange } from '@cofre/provider-kit/card'
import type { CardCharge } from '../authorization/card-charge.js'
import type { KeptEvent } from './event-sql.js'

const WITHDRAWN_CHANGES: readonly AcquirerChange[] = ['capture_failed', 'expired']

type DisputeState = 'charged_back' | 'chargeback_reversed' | undefined

/**
 * True if a dispute's end must be reported to the gateway. It counts the ends that took the money,
 * and those that returned it.
 */
export function changesDispute(change: AcquirerChange, standing: DisputeState): boolean {
  if (change === 'chargeback_reversed') return standing === 'charged_back'
  return change !== 'charged_back' || standing !== 'charged_back'
}

/** A dispute's state by the applied events. */
export function disputeStateOf(
  disputeId: string | undefined,
  events: readonly KeptEvent[],
): DisputeState {
  const ends = events.filter(
    (event) => event.returnId === disputeId && event.appliedAtMs !== undefined && rank(event) > 0,
  )
  const last = ends
    .toSorted((one, other) => one.atMs - other.atMs || rank(one) - rank(other))
    .at(-1)
  return last?.change as DisputeState
}

/** True if an acquirer has reclaimed a charge's money, and not only refused a capture before. */
export function isWithdrawn(
  { captureEndedAtMs = 0 }: Pick<CardCharge, 'captureEndedAtMs'>,
  events: readonly KeptEvent[],
): boolean {
  return events.some(
    ({ change, appliedAtMs = 0 }) =>
      WITHDRAWN_CHANGES.includes(change) && appliedAtMs > captureEndedAtMs,
  )
}

/** The reason why nothing of a charge may go back: its acquirer has reclaimed the money. */
export function reclaimReason(
  charge: Pick<CardCharge, 'captureEndedAtMs'>,
  events: readonly KeptEvent[],
): string | undefined {
  const applied = events.filter(({ appliedAtMs }) => appliedAtMs !== undefined)
  if (isWithdrawn(charge, events)) return 'the charge was taken back'
  const isLost = applied.some(({ returnId }) => disputeStateOf(returnId, events) === 'charged_back')
  return isLost ? 'the charge was charged back' : undefined
}

export const rank = ({ change }: KeptEvent): number => DISPUTE_ORDER.indexOf(change)

/** If several come at the same moment, the one that ends the dispute well comes last. */
const DISPUTE_ORDER: readonly AcquirerChange[] = [
  'dispute_announced',
  'charged_back',
  'chargeback_reversed',
]
