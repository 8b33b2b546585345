import type { Clock, Environment, TransactionStatus } from '@cofre/contracts'
import type { CardPayments } from '../card-payment/card-payments.js'
import type { Transaction } from './transaction.js'
import type { TransactionCode } from './transaction-code.js'
import type { TransactionStore } from './transaction-store.js'

export interface StatusDeps {
  readonly environment: Environment
  readonly transactions: TransactionStore
  readonly cards: CardPayments
  readonly clock: Clock
}

/**
 * Moves a transaction to a status that a bank, a wallet or a review has reported. Undefined, and nothing changed, when
 * the transaction may not go there. The card that a completed transaction saved becomes usable.
 */
export async function recordStatus(
  { environment, transactions, cards, clock }: StatusDeps,
  code: TransactionCode,
  to: TransactionStatus,
): Promise<Transaction | undefined> {
  const moved = await transactions.changeStatus(code, to, clock.now())
  if (moved?.status === 'COMPLETE' && moved.paymentType === 'credit-card') {
    await cards.activateSavedCard(environment, String(code))
  }
  return moved
}
