import {
  type Brand,
  DAY_MS,
  type ErrorName,
  type Failure,
  HOUR_MS,
  MINUTE_MS,
  type MedNature,
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
import type { MeantRefund, RefundKey } from './refund-identity.js'
import {
  type Transaction,
  type TransactionCode,
  drawTransactionCode,
} from '../transaction/transaction.js'

/** A refund's number, drawn as a transaction's code is. */
export type RefundId = Brand<number, 'RefundId'>

/** A number that may be another's. */
export function drawRefundId(nowMs: number, randomBelow: (limit: number) => number): RefundId {
  return drawTransactionCode(nowMs, randomBelow) as number as RefundId
}

/** How a refund ends. */
export type RefundOutcome = Exclude<RefundStatus, 'PROCESSING'>

export interface Refund {
  readonly id: RefundId
  readonly transactionCode: TransactionCode
  readonly merchantId: string
  readonly status: RefundStatus
  readonly amountMinor: MinorUnits
  /**
   * What goes back of the charge: of a card's with its interest, of a boleto's with fine or
   * discount; undefined where that is the amount.
   */
  readonly chargedMinor: MinorUnits | undefined
  /** The merchant's own identifier. */
  readonly reference: string | undefined
  /**
   * Empty where nobody named one, as the provider began the refund; or where this database was
   * restored from before it.
   */
  readonly notifyUrl: string
  readonly requestedAtMs: number
  readonly processedAtMs: number | undefined
  /** When the acquirer makes it at the earliest, as it has said. */
  readonly notBeforeMs: number | undefined
  /** The provider's own name of a refund that it began; undefined where the store asked for it. */
  readonly providerRefundId: string | undefined
  /** Why its bank began it, where the bank says so. */
  readonly nature: MedNature | undefined
  /**
   * What it was asked for with: see refund-identity.ts. Undefined of those that release 0.2 or a
   * provider began, and of those without a key and a reference.
   */
  readonly identity: string | undefined
}

/** Why somebody of the staff refunds. */
export const REFUND_REASONS = [
  'customer-request',
  'not-delivered',
  'duplicate',
  'fraud',
  'other',
] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** What is kept of a refund that somebody of the staff asked for. */
export interface RefundNote {
  /** As in the log of acts; `store` for whoever signed in with the store's secret. */
  readonly actor: string
  readonly reason: RefundReason
  /** What they wrote; empty once the payer's data is erased. */
  readonly note: string
}

/** Longer than three calls to a provider take: looked for, asked for, looked for again. */
const FIRST_PAUSE_MS = 90 * SECOND_MS
export const REFUND_PAUSE_MAX_MS = HOUR_MS

/**
 * How long a worker holds a refund, and the pause before it is asked for again when the ask is not
 * answered.
 * @param asks - Those before it that were not answered, in a row.
 */
export function refundPauseMs(asks: number): number {
  return growingMs(FIRST_PAUSE_MS, REFUND_PAUSE_MAX_MS, asks)
}

/** Of a refund that its bank has in process. */
const IN_PROCESS_PAUSES_MINUTES = [1, 2, 5, 10, 15] as const
const [, , , , IN_PROCESS_PAUSE_MAX_MINUTES] = IN_PROCESS_PAUSES_MINUTES

/** What is stored of a refund of which a bank has said so often before that it is in process. */
export function refundInProcess(before: number, machineNowMs: number) {
  const minutes = IN_PROCESS_PAUSES_MINUTES[before] ?? IN_PROCESS_PAUSE_MAX_MINUTES
  return { asks: 0, in_process: before + 1, next_ask_at: machineNowMs + minutes * MINUTE_MS }
}

/** Why a method cannot send money back, in the words of an error. */
export type MethodRefundCause = 'status' | 'paid-by-line' | 'paid-elsewhere'

/** What decides whether a transaction may be refunded. */
export interface RefundCase {
  readonly merchant: Merchant
  readonly transaction: Transaction
  /** All of the transaction. */
  readonly refunds: readonly Pick<Refund, 'status' | 'amountMinor' | 'chargedMinor'>[]
  /** Why its method cannot send its money back. */
  readonly methodObstacle: MethodRefundCause | undefined
  /** After the payment, in which it may be refunded. */
  readonly refundDays: number
  readonly nowMs: number
}

/** Why a refund may not be. */
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

/** Why a refund is refused, and over which property of its request. */
export interface RefundObjection extends Pick<Failure, 'maximum' | 'cause' | 'named'> {
  readonly name: RefundObstacle
  readonly property: 'transaction-id' | 'amount'
}

/** What is known of a transaction when a refund of it is judged. */
export type RefundFacts = Pick<RefundCase, 'transaction' | 'refunds'>

/** Why a refund must not be inserted; undefined when it may. */
export type RefundJudge = (facts: RefundFacts) => RefundObjection | undefined

/** What is committed with a refund. */
export interface RefundParts {
  /** Of the request, unless it is kept already. */
  readonly nonce?: RequestNonce | undefined
  /** Where somebody of the staff asks for it. */
  readonly note?: RefundNote | undefined
  /** What it is asked for with. */
  readonly key?: RefundKey | undefined
}

/** Why a refund was not inserted. */
export type RefundConflict =
  | 'id_taken'
  | 'nonce_used'
  | Exclude<MeantRefund<Refund>, { readonly kind: 'new' }>
  | { readonly kind: 'refused'; readonly objection: RefundObjection }

/** What may go back of a transaction at most, and why nothing may. */
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

/** Whether the store may ask for what is left of a transaction. */
export function isRefundable(refundCase: RefundCase): boolean {
  return refundableOf(refundCase).obstacle === undefined
}

/** What stands in the way of a refund; undefined when nothing does. */
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
  if (amount > transaction.amountMinor) return 'refund_amount_is_greater_than_transaction'
  if (merchant.refunds === 'full' && amount < transaction.amountMinor)
    return 'partial_refund_not_allowed'
  const isBeyondLimit = refundedMinor(refundCase) + amount > transaction.amountMinor
  // Of a charge nothing may be left although of the amount something is.
  return isBeyondLimit || chargedShare(amount, refundCase) === 0
    ? 'refund_amount_is_greater_than_limit'
    : undefined
}

function leftOf(refundCase: RefundCase): MinorUnits {
  return minorUnits(Math.max(0, refundCase.transaction.amountMinor - refundedMinor(refundCase)))
}

/** What has gone back. */
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
