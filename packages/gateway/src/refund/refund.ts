import {
  type Brand,
  DAY_MS,
  HOUR_MS,
  SECOND_MS,
  type ErrorName,
  type MinorUnits,
  type PaymentType,
  type RefundStatus,
} from '@cofre/contracts'
import type { Merchant } from '../merchant/merchant.js'
import { type Transaction, isRefundable } from '../transaction/transaction.js'
import type { TransactionCode } from '../transaction/transaction-code.js'

/** A refund's number, drawn as a transaction's code is. */
export type RefundId = Brand<number, 'RefundId'>

/** How a refund ends. */
export type RefundOutcome = Exclude<RefundStatus, 'PROCESSING'>

export interface Refund {
  readonly id: RefundId
  readonly transactionCode: TransactionCode
  readonly merchantId: string
  readonly status: RefundStatus
  readonly amountMinor: MinorUnits
  /** The merchant's own identifier. */
  readonly reference: string | undefined
  readonly notifyUrl: string
  readonly requestedAtMs: number
  readonly processedAtMs: number | undefined
}

/** Longer than a provider has to answer. */
const FIRST_PAUSE_MS = 30 * SECOND_MS
export const REFUND_PAUSE_MAX_MS = HOUR_MS

/** How long a worker holds a refund, and the pause before it is asked for again when its outcome stays unknown. */
export function refundPauseMs(asks: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(asks, 10), REFUND_PAUSE_MAX_MS)
}

/** How long after the payment a refund may be asked for (design decision 9). */
const WINDOW_DAYS: Readonly<Record<PaymentType, number>> = {
  'credit-card': 360,
  eft: 90,
  postpay: 90,
  'e-wallet': 90,
}

/** What the merchant and the method allow, before the amounts are looked at; undefined when nothing stands in the way. */
export function refundObstacle(
  merchant: Merchant,
  transaction: Transaction,
  { nowMs, methodAccepts }: { readonly nowMs: number; readonly methodAccepts: boolean },
): ErrorName | undefined {
  if (merchant.refunds === 'reseller') return 'transaction_is_reseller'
  if (merchant.refunds === 'none') return 'service_refund_access_not_authorized'
  if (!methodAccepts) return 'payment_does_not_accept_refund'
  if (!isRefundable(transaction)) return 'transaction_status_not_accept_refund'
  const { paidAtMs = transaction.createdAtMs, paymentType } = transaction
  const windowMs = WINDOW_DAYS[paymentType] * DAY_MS
  return nowMs - paidAtMs > windowMs ? 'expired_refund_request' : undefined
}

/** Whether an amount may be refunded beside those that were; undefined when it may. */
export function amountObstacle(
  amount: MinorUnits,
  transaction: Transaction,
  { merchant, refundedMinor }: { readonly merchant: Merchant; readonly refundedMinor: number },
): ErrorName | undefined {
  if (amount > transaction.amountMinor) return 'refund_amount_is_greater_than_transaction'
  if (merchant.refunds === 'full' && amount < transaction.amountMinor)
    return 'partial_refund_not_allowed'
  return refundedMinor + amount > transaction.amountMinor
    ? 'refund_amount_is_greater_than_limit'
    : undefined
}
