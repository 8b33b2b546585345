import { ApiError, REQUEST_RULES, type TransactionRequest } from '@cofre/contracts'
import { dayInBrasilia } from '../model/calendar/brazilian-calendar.js'
import type { Merchant } from '../model/merchant/merchant.js'
import type { RequestNonce } from '../model/merchant/request-nonce.js'
import type { Transaction } from '../model/transaction/transaction.js'
import { finishEarlier } from './earlier-order-service.js'
import type { GatewayDeps } from './gateway-deps.js'
import {
  type CreationRequest,
  createTransaction,
  readTransactionRequest,
} from './transaction-service.js'

/** An order as its store has sent it. */
export interface SentOrder extends Pick<CreationRequest, 'deadline' | 'isRetry'> {
  /** The JSON of its body. */
  readonly received: unknown
  /** Of the request, unless it is kept already. */
  readonly nonce?: RequestNonce | undefined
}

/**
 * Creates the transaction of an order. One that was begun under other rules of the store is
 * finished, whatever its rules say by now.
 * @throws ApiError with every failure of the body, and what {@link createTransaction} throws
 */
export async function createReceivedOrder(
  deps: GatewayDeps,
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
  return await createTransaction(deps, merchant, { request, received, isRetry, deadline, parts })
}

async function finishByOtherRules(
  deps: GatewayDeps,
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
  { clock, requestPolicy }: GatewayDeps,
  merchant: Merchant,
  received: unknown,
): TransactionRequest {
  const policy = { ...requestPolicy, today: dayInBrasilia(clock.now()) }
  return readTransactionRequest(received, merchant, policy)
}
