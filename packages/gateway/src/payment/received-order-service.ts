import { ApiError, type Clock, REQUEST_RULES, type TransactionRequest } from '@cofre/contracts'
import { dayInBrasilia } from '../model/calendar/brazilian-calendar.js'
import type { Merchant } from '../model/merchant/merchant.js'
import type { RequestNonce } from '../model/merchant/request-nonce.js'
import type { Transaction } from '../model/transaction/transaction.js'
import { finishEarlier } from './earlier-order-service.js'
import {
  type CreateTransaction,
  type CreationRequest,
  readTransactionRequest,
} from './transaction-service.js'
import type { PaymentMethods } from '../method/payment-method.js'
import type { NonceStore, RequestRules, TransactionStore } from './ports.js'

/** An order as sent by its store. */
export interface SentOrder extends Pick<CreationRequest, 'deadline' | 'isRetry'> {
  /** The JSON of its body. */
  readonly received: unknown
  /** The request's nonce, unless it is recorded already. */
  readonly nonce?: RequestNonce | undefined
}

export interface ReceivedOrderDeps {
  readonly clock: Clock
  readonly methods: PaymentMethods
  readonly nonces: NonceStore
  readonly requestPolicy: RequestRules
  readonly transactions: TransactionStore
  readonly create: CreateTransaction
}

/**
 * Creates the transaction of an order. One that was started under other rules of the store is
 * finished, whatever its present rules are.
 * @throws ApiError with every failure of the body, and what creating a transaction throws
 */
export async function createReceivedOrder(
  deps: ReceivedOrderDeps,
  merchant: Merchant,
  order: SentOrder,
): Promise<Transaction> {
  const { received, isRetry, deadline, nonce } = order
  let request: TransactionRequest
  try {
    request = readBy(deps, merchant, received)
  } catch (refusal) {
    const earlier = isRetry ? await finishByOtherRules(deps, merchant, order) : undefined
    if (earlier === undefined) throw refusal
    return earlier
  }
  const parts = nonce === undefined ? [] : [deps.nonces.intentPart(nonce)]
  return await deps.create(merchant, { request, received, isRetry, deadline, parts })
}

async function finishByOtherRules(
  deps: ReceivedOrderDeps,
  merchant: Merchant,
  { received, deadline }: SentOrder,
): Promise<Transaction | undefined> {
  for (const rules of REQUEST_RULES.filter((one) => one !== merchant.rules)) {
    try {
      const request = readBy(deps, { ...merchant, rules }, received)
      return await finishEarlier(deps, merchant, { request, received, deadline })
    } catch (error) {
      if (!isRefusalOfBody(error)) throw error
    }
  }
  return undefined
}

function isRefusalOfBody(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.failures.every(({ name }) => name !== 'idempotency_key_in_progress')
  )
}

function readBy(
  { clock, requestPolicy }: ReceivedOrderDeps,
  merchant: Merchant,
  received: unknown,
): TransactionRequest {
  const policy = { ...requestPolicy, today: dayInBrasilia(clock.now()) }
  return readTransactionRequest(received, merchant, policy)
}
