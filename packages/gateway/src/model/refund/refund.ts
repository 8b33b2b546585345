import {
  type Brand,
  DAY_MS,
  type ErrorName,
  type Failure,
  HOUR_MS,
  MINUTE_MS,
  type MedNature,
  type Metadata,
  type MinorUnits,
  type RefundStatus,
  SECOND_MS,
  formatAmount,
  minorUnits,
} from '@cofre/contracts'
import { growingMs } from '@cofre/work'
import { chargedShare } from '../card/charged-share.js'
import type { Merchant } from '../merchant/merchant.js'
import type { RequestNonce } from '../merchant/request-nonce.js'
import type { RefundMatch, RefundKey } from './refund-identity.js'
import { capturedSums } from '../transaction/capture.js'
import {
  type Transaction,
  type TransactionCode,
  drawTransactionCode,
} from '../transaction/transaction.js'

/** A refund's number, drawn like a transaction's code. */
export type RefundId = Brand<number, 'RefundId'>

/** Draws a number that may be taken already. */
export function drawRefundId(nowMs: number, randomBelow: (limit: number) => number): RefundId {
  return drawTransactionCode(nowMs, randomBelow) as number as RefundId
}

export type RefundOutcome = Exclude<RefundStatus, 'PROCESSING'>

export interface Refund {
  readonly id: RefundId
  readonly transactionCode: TransactionCode
  readonly merchantId: string
  readonly status: RefundStatus
  readonly amountMinor: MinorUnits
  /**
   * The returned part of the charge, with a card's interest or a boleto's fine or discount;
   * undefined if it equals the amount.
   */
  readonly chargedMinor: MinorUnits | undefined
  /** The merchant's own identifier. */
  readonly reference: string | undefined
  /**
   * Empty if the provider started the refund, so that no address was given, or if this database was
   * restored from before it.
   */
  readonly notifyUrl: string
  readonly requestedAtMs: number
  readonly processedAtMs: number | undefined
  /** The earliest time at which the acquirer makes it, as reported. */
  readonly notBeforeMs: number | undefined
  /** The provider's own name of a refund that it started; undefined if the store requested it. */
  readonly providerRefundId: string | undefined
  /** Why its bank started it, if the bank reports that. */
  readonly nature: MedNature | undefined
  /**
   * Identifies its request: see refund-identity.ts. Undefined for refunds that release 0.2 or a
   * provider started, and for those without a key and a reference.
   */
  readonly identity: string | undefined
  /** The store's own; undefined also once the payer's data is erased. */
  readonly metadata: Metadata | undefined
}

/** The staff's reasons for refunds. */
export const REFUND_REASONS = [
  'customer-request',
  'not-delivered',
  'duplicate',
  'fraud',
  'other',
] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** The note of a refund that the staff requested. */
export interface RefundNote {
  /** As in the log of acts; `store` for a person who signed in with the store's secret. */
  readonly actor: string
  readonly reason: RefundReason
  /** The staff's own text; empty once the payer's data is erased. */
  readonly note: string
}

/** Longer than three calls to a provider take: find, request, find again. */
const FIRST_PAUSE_MS = 90 * SECOND_MS
export const REFUND_PAUSE_MAX_MS = HOUR_MS

/**
 * A worker's lease of a refund, which is also the pause before an unanswered request is repeated.
 * @param asks - Consecutive earlier requests without an answer.
 */
export function refundPauseMs(asks: number): number {
  return growingMs(FIRST_PAUSE_MS, REFUND_PAUSE_MAX_MS, asks)
}

/** Pauses for a refund that its bank has in process. */
const IN_PROCESS_PAUSES_MINUTES = [1, 2, 5, 10, 15] as const
const [, , , , IN_PROCESS_PAUSE_MAX_MINUTES] = IN_PROCESS_PAUSES_MINUTES

/**
 * The stored values of a refund that a bank has in process.
 * @param before - The number of earlier reports that it is in process.
 */
export function refundInProcess(before: number, machineNowMs: number) {
  const minutes = IN_PROCESS_PAUSES_MINUTES[before] ?? IN_PROCESS_PAUSE_MAX_MINUTES
  return { asks: 0, in_process: before + 1, next_ask_at: machineNowMs + minutes * MINUTE_MS }
}

/** Why a method cannot return money: a cause of an error. */
export type MethodRefundCause = 'status' | 'paid-by-line' | 'paid-elsewhere'

/** The facts that decide whether a transaction may be refunded. */
export interface RefundCase {
  readonly merchant: Merchant
  readonly transaction: Transaction
  /** All refunds of the transaction. */
  readonly refunds: readonly Pick<Refund, 'status' | 'amountMinor' | 'chargedMinor'>[]
  /** Why its method cannot return its money. */
  readonly methodObstacle: MethodRefundCause | undefined
  /** Days after the payment in which it may be refunded. */
  readonly refundDays: number
  readonly nowMs: number
}

export type RefundObstacle = Extract<
  ErrorName,
  | 'transaction_is_reseller'
  | 'service_refund_access_not_authorized'
  | 'payment_does_not_accept_refund'
  | 'transaction_status_not_accept_refund'
  | 'expired_refund_request'
  | 'refund_already_requested'
  | 'refund_amount_is_greater_than_transaction'
  | 'partial_refund_not_allowed'
  | 'refund_amount_is_greater_than_limit'
>

/** Why a refund is refused, and for which property of its request. */
export interface RefundObjection extends Pick<Failure, 'maximum' | 'cause' | 'named'> {
  readonly name: RefundObstacle
  readonly property: 'transaction-id' | 'amount'
}

/** The facts of a transaction when a refund of it is judged. */
export type RefundFacts = Pick<RefundCase, 'transaction' | 'refunds'>

/** Why a refund must not be inserted; undefined if it may. */
export type RefundJudge = (facts: RefundFacts) => RefundObjection | undefined

export interface RefundParts {
  /** The request's nonce, unless it is recorded already. */
  readonly nonce?: RequestNonce | undefined
  /** Present if the staff requests it. */
  readonly note?: RefundNote | undefined
  /** The key of its request. */
  readonly key?: RefundKey | undefined
}

/** Why a refund was not inserted. */
export type RefundConflict =
  | 'id_taken'
  | 'nonce_used'
  | Exclude<RefundMatch<Refund>, { readonly kind: 'new' }>
  | { readonly kind: 'refused'; readonly objection: RefundObjection }

/** The most that may be returned of a transaction, and why nothing may. */
export interface Refundable {
  readonly remainingMinor: MinorUnits
  readonly obstacle: RefundObstacle | undefined
}

export function refundableOf(refundCase: RefundCase): Refundable {
  const remainingMinor = leftOf(refundCase)
  const obstacle =
    refundObjection(remainingMinor, refundCase)?.name ??
    (remainingMinor > 0 ? undefined : 'refund_amount_is_greater_than_limit')
  return { remainingMinor, obstacle }
}

/** True if the store may request the rest of a transaction. */
export function isRefundable(refundCase: RefundCase): boolean {
  return refundableOf(refundCase).obstacle === undefined
}

/** The obstacle to a refund; undefined without one. */
export function refundObjection(
  amount: MinorUnits,
  refundCase: RefundCase,
): RefundObjection | undefined {
  const obstacle = transactionObstacle(refundCase)
  if (obstacle !== undefined) {
    const { methodObstacle: cause = 'status', transaction } = refundCase
    const { status } = transaction
    return { name: obstacle, property: 'transaction-id', cause, named: { status } }
  }
  const excess = amountObstacle(amount, refundCase)
  if (excess === undefined) return undefined
  const left = leftOf(refundCase)
  const isTooMuch = excess !== 'partial_refund_not_allowed' && amount > left
  const cause = left === 0 ? 'nothing-left' : 'left'
  const limit = { maximum: left / 100, cause, named: { left: formatAmount(left) } }
  return { name: excess, property: 'amount', ...(isTooMuch && limit) }
}

function transactionObstacle({
  merchant,
  transaction,
  refunds,
  methodObstacle,
  refundDays,
  nowMs,
}: RefundCase): RefundObstacle | undefined {
  if (merchant.refunds === 'reseller') return 'transaction_is_reseller'
  if (merchant.refunds === 'none') return 'service_refund_access_not_authorized'
  if (methodObstacle !== undefined) return 'payment_does_not_accept_refund'
  const { status, createdAtMs, paidAtMs = createdAtMs } = transaction
  if (status !== 'COMPLETE' && status !== 'REFUNDED') return 'transaction_status_not_accept_refund'
  if (nowMs - paidAtMs > refundDays * DAY_MS) return 'expired_refund_request'
  const isInProcess = refunds.some((refund) => refund.status === 'PROCESSING')
  return isInProcess ? 'refund_already_requested' : undefined
}

function amountObstacle(amount: MinorUnits, refundCase: RefundCase): RefundObstacle | undefined {
  const { merchant, transaction } = refundCase
  const { amountMinor } = capturedSums(transaction)
  if (amount > amountMinor) return 'refund_amount_is_greater_than_transaction'
  if (merchant.refunds === 'full' && amount < amountMinor) return 'partial_refund_not_allowed'
  const isBeyondLimit = refundedMinor(refundCase) + amount > amountMinor
  // Nothing may be left of a charge although something is left of the amount.
  return isBeyondLimit || chargedShare(amount, refundCase) === 0
    ? 'refund_amount_is_greater_than_limit'
    : undefined
}

function leftOf(refundCase: RefundCase): MinorUnits {
  const { amountMinor } = capturedSums(refundCase.transaction)
  return minorUnits(Math.max(0, amountMinor - refundedMinor(refundCase)))
}

/** The sum that was returned. */
export function returnedMinor(refunds: readonly Pick<Refund, 'status' | 'amountMinor'>[]) {
  const made = refunds.filter(({ status }) => status === 'PROCESSED')
  return minorUnits(made.reduce((sum, { amountMinor }) => sum + amountMinor, 0))
}

/** The sum of the refunds that were not rejected, in centavos. */
function refundedMinor({ refunds }: RefundCase): number {
  return refunds
    .filter(({ status }) => status !== 'REJECTED')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}
