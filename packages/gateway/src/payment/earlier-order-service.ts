// An order whose reference an earlier request has used: which of the two continues, and when.
import { ApiError, type Clock, type Deadline, SECOND_MS } from '@cofre/contracts'
import { IDEMPOTENCY_LEASE_MS } from '../model/idempotency/idempotency.js'
import type { Merchant } from '../model/merchant/merchant.js'
import { type ReceivedOrder, isSameOrder, onlyCharge } from '../model/transaction/stored-request.js'
import {
  OPEN_INTENT_CHECK_AFTER_MS,
  type Transaction,
  mayBeWithdrawn,
} from '../model/transaction/transaction.js'
import type { PaymentMethods } from '../method/payment-method.js'
import type { TransactionStore } from './ports.js'

/** An order, and the time when its shop stops waiting. */
interface DueOrder extends ReceivedOrder {
  readonly deadline: Deadline
}

export interface FinishEarlierDeps {
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/**
 * The result of an earlier request that ended unanswered. Undefined if it left nothing: its intent,
 * if any, is withdrawn then. An open one is finished first, and may be withdrawn by that.
 * @throws ApiError idempotency_key_in_progress while the vault does not report the outcome
 */
export async function finishEarlier(
  deps: FinishEarlierDeps,
  merchant: Merchant,
  order: DueOrder,
): Promise<Transaction | undefined> {
  const { reference } = order.request.transaction
  const earlier = await deps.transactions.findByReference(merchant.id, reference)
  // Another request may have used the reference.
  if (earlier === undefined || !isSameOrder(earlier, order)) return undefined
  return await resume(deps, earlier, order).catch((cause: unknown) => {
    throw cause instanceof ApiError ? cause : new ApiError('idempotency_key_in_progress', { cause })
  })
}

export interface EarlierOrderDeps {
  readonly machineClock: Clock
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/**
 * The transaction of an earlier, equal request whose bank may have opened a charge without
 * reporting it: this request finds out. Undefined without one.
 * @throws ApiError service_unavailable while the bank does not report the outcome
 */
export async function finishDoubtful(
  deps: EarlierOrderDeps,
  merchant: Merchant,
  order: DueOrder,
): Promise<Transaction | undefined> {
  const { reference } = order.request.transaction
  const method = deps.methods.of(onlyCharge(order.request)['payment-method'].type)
  if (method.isDoubtful === undefined) return undefined
  const earlier = await deps.transactions.findByReference(merchant.id, reference)
  if (earlier?.open !== true || !isSameOrder(earlier, order)) return undefined
  return (await isDoubtful(deps, earlier)) ? await method.resume(earlier, order) : undefined
}

/** True if an open order's request was answered while it was unknown whether a charge exists. */
async function isDoubtful({ methods }: EarlierOrderDeps, intent: Transaction): Promise<boolean> {
  return (await methods.of(intent.paymentType).isDoubtful?.(intent)) ?? false
}

/**
 * Resolves an order whose reference is taken. One that equals an earlier unanswered request
 * continues that, once the earlier request can no longer be answered. It does not wait if the
 * earlier response was that the bank may have opened a charge. Undefined if the earlier order was
 * withdrawn: the reference is free.
 * @throws ApiError transaction_reference_used, and service_unavailable while the outcome of the
 * earlier request is unknown
 */
export async function continueEarlier(
  deps: EarlierOrderDeps,
  merchant: Merchant,
  order: DueOrder,
): Promise<Transaction | undefined> {
  const { reference } = order.request.transaction
  const earlier = await deps.transactions.findByReference(merchant.id, reference)
  // Its year of the archive was moved elsewhere, or it was withdrawn just now.
  if (earlier === undefined) throw referenceUsed(undefined)
  const isUndecided = mayBeWithdrawn(earlier)
  const isUnanswered = isUndecided || earlier.permanent !== undefined
  if (!isUnanswered || !isSameOrder(earlier, order))
    throw referenceUsed(isUndecided ? decisionWaitMs(deps, earlier) : undefined)
  const waitMs = earlier.open ? answerWaitMs(deps, earlier) : 0
  // The request that left a charge doubtful has been answered, so it no longer works on it.
  if (waitMs > 0 && !(await isDoubtful(deps, earlier))) throw referenceUsed(waitMs)
  return await resume(deps, earlier, order).catch((cause: unknown) => {
    if (cause instanceof ApiError) throw cause
    throw new ApiError([{ name: 'service_unavailable', cause: 'undecided' }], { cause })
  })
}

/** The time until a worker finishes an intent. */
function decisionWaitMs(
  { machineClock }: EarlierOrderDeps,
  { nextAskAtMs = 0 }: Transaction,
): number {
  return nextAskAtMs - machineClock.now()
}

/** How long the request of an intent, or the worker that finishes it, may still be at work. */
function answerWaitMs(deps: EarlierOrderDeps, intent: Transaction): number {
  return decisionWaitMs(deps, intent) - OPEN_INTENT_CHECK_AFTER_MS + IDEMPOTENCY_LEASE_MS
}

/** @param undecidedForMs - How long an undecided order remains so. */
function referenceUsed(undecidedForMs: number | undefined): ApiError {
  const failure = {
    name: 'transaction_reference_used',
    property: 'transaction.reference',
    constraint: 'unique',
  } as const
  if (undecidedForMs === undefined) return new ApiError([failure])
  const seconds = Math.max(1, Math.ceil(undecidedForMs / SECOND_MS))
  return new ApiError([{ ...failure, cause: 'undecided', named: { seconds } }])
}

/** Resumes an open order with its method; returns any other. Undefined if it was withdrawn. */
async function resume(
  { methods }: FinishEarlierDeps,
  earlier: Transaction,
  order: DueOrder,
): Promise<Transaction | undefined> {
  return earlier.open ? await methods.of(earlier.paymentType).resume(earlier, order) : earlier
}
