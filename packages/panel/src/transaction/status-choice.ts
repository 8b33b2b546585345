import { TRANSACTION_STATUSES, type TransactionStatus, nextStatuses } from '@cofre/contracts'

/** Why a transaction cannot come to a status. */
export type Obstacle = 'final' | 'only-paid' | 'never-back'

/** What the bank may report of a transaction, and what it may not and why. */
export interface StatusChoices {
  /** The status it has comes first: reporting it notifies again. */
  readonly offered: readonly TransactionStatus[]
  readonly others: readonly { readonly status: TransactionStatus; readonly obstacle: Obstacle }[]
}

export function statusChoices(current: TransactionStatus): StatusChoices {
  const next = nextStatuses(current)
  const offered = [current, ...next.filter((status) => status !== current)]
  return {
    offered,
    others: TRANSACTION_STATUSES.filter((status) => !offered.includes(status)).map((status) => ({
      status,
      obstacle: obstacleOf(current, status),
    })),
  }
}

function obstacleOf(current: TransactionStatus, to: TransactionStatus): Obstacle {
  if (nextStatuses(current).length === 0) return 'final'
  return to === 'REFUNDED' || to === 'CHARGEBACK' ? 'only-paid' : 'never-back'
}
