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

/** Status in the answer to `POST /transactions` (specification, section 3). */
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

/** The only ways back, each by one word of a provider and by nobody else. */
export const BACKWARD_STEPS = {
  /** An approved charge is taken back: the shop gets no money. */
  capture_failed: { from: 'COMPLETE', to: ['CANCELLED'] },
  /** REFUNDED where a part had gone back before. */
  chargeback_reversed: { from: 'CHARGEBACK', to: ['COMPLETE', 'REFUNDED'] },
} as const satisfies Readonly<
  Record<string, { readonly from: TransactionStatus; readonly to: readonly TransactionStatus[] }>
>
export type BackwardStep = keyof typeof BACKWARD_STEPS

/**
 * How a refund ends. One that has ended ends otherwise by its provider's word alone: it fails
 * afterwards, or is made after all.
 */
export const NEXT_REFUND_STATUSES: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  PROCESSING: ['PROCESSED', 'REJECTED'],
  PROCESSED: ['REJECTED'],
  REJECTED: ['PROCESSED'],
}

/**
 * Whether a transaction may go from one status to the other. It goes back by a
 * {@link BACKWARD_STEPS | backward step} alone.
 */
export function mayBecome(from: TransactionStatus, to: TransactionStatus): boolean {
  return NEXT[from].includes(to)
}

/** The statuses a transaction may go to. */
export function nextStatuses(from: TransactionStatus): readonly TransactionStatus[] {
  return NEXT[from]
}

/** What a status is called in the response to the creation. */
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
