import { ApiError, type Log, SECOND_MS } from '@cofre/contracts'
import { answeredWithin } from '@cofre/work'
import type { OrderNames } from '../model/back-office/payment-listing.js'
import {
  type Transaction,
  type TransactionCode,
  mayBeWithdrawn,
} from '../model/transaction/transaction.js'
import { withdraw } from './withdrawal-service.js'
import type { PaymentMethods } from '../method/payment-method.js'
import type { TransactionStore } from './ports.js'

const DECIDED_WITHIN_MS = 2 * SECOND_MS

export interface OrderDecisionDeps {
  readonly log: Log
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/**
 * Decides an order that may be withdrawn, because its shop asks for it by name. After "none", the
 * shop would sell it again. Afterwards the order is permanent, or it will never exist.
 * @returns the resulting transaction; undefined if it was withdrawn
 * @throws ApiError service_unavailable while that is unknown
 */
export async function decideOrder(
  deps: OrderDecisionDeps,
  intent: Transaction,
): Promise<Transaction | undefined> {
  try {
    return await answeredWithin(DECIDED_WITHIN_MS, () => decide(deps, intent))
  } catch (cause) {
    deps.log.warn({ transaction: intent.code, error: cause }, 'an order is not decided yet')
    throw new ApiError([{ name: 'service_unavailable', cause: 'undecided' }], { cause })
  }
}

/**
 * True if the store has a permanent order with one of these names. An undecided one is decided
 * first.
 * @throws ApiError service_unavailable while that is unknown
 */
export async function isPermanentByName(
  deps: OrderDecisionDeps,
  storeId: string,
  { reference, code }: OrderNames,
): Promise<boolean> {
  const { transactions } = deps
  const named = await Promise.all([
    code === undefined ? undefined : transactions.findByCode(code as TransactionCode),
    reference === undefined ? undefined : transactions.findByReference(storeId, reference),
  ])
  const found = named.find((one) => one?.merchantId === storeId)
  if (found === undefined) return false
  return !mayBeWithdrawn(found) || (await decideOrder(deps, found)) !== undefined
}

async function decide(
  deps: OrderDecisionDeps,
  intent: Transaction,
): Promise<Transaction | undefined> {
  const { methods, transactions } = deps
  const decision = await methods.of(intent.paymentType).decide(intent)
  if (decision === 'never-arrived') return await withdraw(deps, intent)
  return await transactions.makePermanent(intent.code)
}
