import type { RefundStatus } from './refund.js'

/** Status of a transaction in search results and notifications (specification, section 3). */
export const TRANSACTION_STATUSES = [
  'PENDING',
  'UNDER-REVIEW',
  'COMPLETE',
  'CANCELLED',
  'EXPIRED',
  'NOT-PAID',
  'REFUNDED',
  'CHARGEBACK',
] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** Status in the response to `POST /transactions` (specification, section 3). */
export type CreationStatus = 'PAID' | 'PENDING' | 'REJECTED'

const NEXT: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  PENDING: ['UNDER-REVIEW', 'COMPLETE', 'CANCELLED', 'EXPIRED', 'NOT-PAID'],
  'UNDER-REVIEW': ['COMPLETE', 'CANCELLED'],
  COMPLETE: ['REFUNDED', 'CHARGEBACK'],
  REFUNDED: ['REFUNDED', 'CHARGEBACK'],
  CANCELLED: [],
  EXPIRED: [],
  'NOT-PAID': [],
  CHARGEBACK: [],
}

/** The only backward steps. Each needs the provider's report. */
export const BACKWARD_STEPS = {
  /** An approved charge fails afterwards: the shop gets no money. */
  capture_failed: { from: 'COMPLETE', to: ['CANCELLED'] },
  /** REFUNDED if a part was refunded before. */
  chargeback_reversed: { from: 'CHARGEBACK', to: ['COMPLETE', 'REFUNDED'] },
} as const satisfies Readonly<
  Record<string, { readonly from: TransactionStatus; readonly to: readonly TransactionStatus[] }>
>
export type BackwardStep = keyof typeof BACKWARD_STEPS

/**
 * Statuses that may follow a refund's. A refund that has ended changes only by its provider's
 * report: it fails afterwards, or succeeds after all.
 */
export const NEXT_REFUND_STATUSES: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  PROCESSING: ['PROCESSED', 'REJECTED'],
  PROCESSED: ['REJECTED'],
  REJECTED: ['PROCESSED'],
}

/**
 * True if a transaction may change from one status to the other. Only a {@link BACKWARD_STEPS |
 * backward step} leads back.
 */
export function mayBecome(from: TransactionStatus, to: TransactionStatus): boolean {
  return NEXT[from].includes(to)
}

/** Statuses that may follow a transaction's. */
export function nextStatuses(from: TransactionStatus): readonly TransactionStatus[] {
  return NEXT[from]
}

/** Name of a status in the response to the creation. */
export const CREATION_STATUS: Readonly<Record<TransactionStatus, CreationStatus>> = {
  PENDING: 'PENDING',
  'UNDER-REVIEW': 'PENDING',
  COMPLETE: 'PAID',
  REFUNDED: 'PAID',
  CHARGEBACK: 'PAID',
  CANCELLED: 'REJECTED',
  EXPIRED: 'REJECTED',
  'NOT-PAID': 'REJECTED',
}
