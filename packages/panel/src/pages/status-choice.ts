import { TRANSACTION_STATUSES, type TransactionStatus, nextStatuses } from '@cofre/contracts'

/** Why a transaction cannot come to a status. */
export type Obstacle = 'final' | 'only-paid' | 'never-back'

/** What the bank may report of a transaction, and what it may not and why. */
export interface StatusChoices {
  /** The status it has comes first: reporting it notifies again. */
  readonly offered: readonly TransactionStatus[]
  readonly others: readonly ObstructedStatuses[]
}

interface ObstructedStatuses {
  readonly obstacle: Obstacle
  readonly statuses: readonly TransactionStatus[]
}

export function statusChoices(current: TransactionStatus): StatusChoices {
  const next = nextStatuses(current)
  const offered = [current, ...next.filter((status) => status !== current)]
  const others = Map.groupBy(
    TRANSACTION_STATUSES.filter((status) => !offered.includes(status)),
    (status) => obstacleOf(current, status),
  )
  return {
    offered,
    others: [...others].map(([obstacle, statuses]) => ({ obstacle, statuses })),
  }
}

function obstacleOf(current: TransactionStatus, to: TransactionStatus): Obstacle {
  if (nextStatuses(current).length === 0) return 'final'
  return to === 'REFUNDED' || to === 'CHARGEBACK' ? 'only-paid' : 'never-back'
}
