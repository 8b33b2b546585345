import type { RefundStatus, TransactionStatus } from '@cofre/contracts'
import { toneOf } from './transaction-words.js'

/** A status in the API's own word, which is what the shop's code has to know. */
export function StatusBadge({ status }: { readonly status: TransactionStatus | RefundStatus }) {
  return <span class={`badge ${toneOf(status)}`}>{status}</span>
}
