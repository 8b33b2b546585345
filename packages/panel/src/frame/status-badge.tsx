import type { RefundStatus, TransactionStatus } from '@cofre/contracts'

const TONES: Readonly<
  Record<TransactionStatus | RefundStatus, 'good' | 'waiting' | 'bad' | 'quiet'>
> = {
  PENDING: 'waiting',
  'UNDER-REVIEW': 'waiting',
  COMPLETE: 'good',
  CANCELLED: 'bad',
  EXPIRED: 'quiet',
  'NOT-PAID': 'quiet',
  REFUNDED: 'quiet',
  CHARGEBACK: 'bad',
  PROCESSING: 'waiting',
  PROCESSED: 'good',
  REJECTED: 'bad',
}

/** A status in the API's own word, which the shop's code has to know. */
export function StatusBadge({ status }: { readonly status: TransactionStatus | RefundStatus }) {
  return <span class={`badge ${TONES[status]}`}>{status}</span>
}
