import type { PaymentStatus, RefundStatus } from '@cofre/contracts'
import { useView } from '../visit/visit.js'

type Status = PaymentStatus | RefundStatus

const TONES: Readonly<Record<Status, 'good' | 'waiting' | 'bad' | 'quiet'>> = {
  PENDING: 'waiting',
  AUTHORIZED: 'waiting',
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

/** A status as a word for staff; the API's own code beside it is for developers. */
export function StatusBadge({ status }: { readonly status: Status }) {
  return (
    <span class="status">
      <span class={`badge ${TONES[status]}`}>{useView().texts.statuses[status]}</span>{' '}
      <code>{status}</code>
    </span>
  )
}
