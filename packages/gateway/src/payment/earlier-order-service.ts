// An order whose reference an earlier request has brought: which of them goes on, and when.
import { ApiError, type Clock, type Deadline, SECOND_MS } from '@cofre/contracts'
import { IDEMPOTENCY_LEASE_MS } from '../model/idempotency/idempotency.js'
import type { Merchant } from '../model/merchant/merchant.js'
import { type ReceivedOrder, isSameOrder, onlyCharge } from '../model/transaction/stored-request.js'
import {
  OPEN_INTENT_PATIENCE_MS,
  type Transaction,
  mayBeWithdrawn,
} from '../model/transaction/transaction.js'
import type { PaymentMethods } from '../method/payment-method.js'
import type { TransactionStore } from './ports.js'

/** An order, and when its shop stops waiting. */
interface DueOrder extends ReceivedOrder {
  readonly deadline: Deadline
}

export interface FinishEarlierDeps {
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/**
 * What an earlier request that died unanswered came to. Undefined when it left nothing behind: its
 * intent, if there was one, is withdrawn then. An open one is asked after first: it may yet go.
 * @throws ApiError idempotency_key_in_progress while the vault does not say what became of it
 */
export async function finishEarlier(
  deps: FinishEarlierDeps,
  merchant: Merchant,
  order: DueOrder,
): Promise<Transaction | undefined> {
  const { reference } = order.request.transaction
  const earlier = await deps.transactions.findByReference(merchant.id, reference)
  // The reference may also be another request's.
  if (earlier === undefined || !isSameOrder(earlier, order)) return undefined
  return await goOn(deps, earlier, order).catch((cause: unknown) => {
    throw cause instanceof ApiError ? cause : new ApiError('idempotency_key_in_progress', { cause })
  })
}

export interface EarlierOrderDeps {
  readonly machineClock: Clock
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/**
 * The transaction of an earlier, equal request whose bank may have opened a charge without saying
 * so: this request finds out. Undefined when there is none.
 * @throws ApiError service_unavailable while the bank does not say
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

/** Whether an open order's request was answered without knowing whether there is a charge. */
async function isDoubtful({ methods }: EarlierOrderDeps, intent: Transaction): Promise<boolean> {
  return (await methods.of(intent.paymentType).isDoubtful?.(intent)) ?? false
}

/**
 * What becomes of an order whose reference is taken. One that asks for the same as an earlier
 * request that was not answered goes on with it, once that request cannot be answered any more. It
 * does not wait where the earlier one was answered that its bank may have opened a charge.
 * Undefined when the earlier one was withdrawn: the reference is free.
 * @throws ApiError transaction_reference_used, and service_unavailable while it is not known what
 * became of the earlier request
 */
export async function continueEarlier(
  deps: EarlierOrderDeps,
  merchant: Merchant,
  order: DueOrder,
): Promise<Transaction | undefined> {
  const { reference } = order.request.transaction
  const earlier = await deps.transactions.findByReference(merchant.id, reference)
  // Its year of the archive is kept elsewhere, or it was withdrawn just now.
  if (earlier === undefined) throw referenceUsed(undefined)
  const isUndecided = mayBeWithdrawn(earlier)
  const isUnanswered = isUndecided || earlier.stands !== undefined
  if (!isUnanswered || !isSameOrder(earlier, order))
    throw referenceUsed(isUndecided ? decisionWaitMs(deps, earlier) : undefined)
  const waitMs = earlier.open ? answerWaitMs(deps, earlier) : 0
  // The request that left a charge doubtful has been answered: it does not work on it.
  if (waitMs > 0 && !(await isDoubtful(deps, earlier))) throw referenceUsed(waitMs)
  return await goOn(deps, earlier, order).catch((cause: unknown) => {
    if (cause instanceof ApiError) throw cause
    throw new ApiError([{ name: 'service_unavailable', cause: 'undecided' }], { cause })
  })
}

/** Until a worker asks after an intent. */
function decisionWaitMs(
  { machineClock }: EarlierOrderDeps,
  { nextAskAtMs = 0 }: Transaction,
): number {
  return nextAskAtMs - machineClock.now()
}

/** For how long the request of an intent, or the worker that asks after it, may be at work. */
function answerWaitMs(deps: EarlierOrderDeps, intent: Transaction): number {
  return decisionWaitMs(deps, intent) - OPEN_INTENT_PATIENCE_MS + IDEMPOTENCY_LEASE_MS
}

/** @param undecidedForMs - Of an order that is not decided yet: how long that lasts. */
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

/** An open order goes on with whom it has asked. Undefined when it was withdrawn. */
async function goOn(
  { methods }: FinishEarlierDeps,
  earlier: Transaction,
  order: DueOrder,
): Promise<Transaction | undefined> {
  return earlier.open ? await methods.of(earlier.paymentType).resume(earlier, order) : earlier
}
