import type { Clock, TransactionStatus } from '@cofre/contracts'
import type { Transaction } from './transaction.js'
import type { TransactionStore } from './transaction-store.js'

export interface ExpiryDeps {
  readonly transactions: TransactionStore
  readonly clock: Clock
}

const EXPIRIES_AT_ONCE = 100

/** Ends transactions that nobody paid in time; returns how many. */
export async function expireUnpaid({ transactions, clock }: ExpiryDeps): Promise<number> {
  const nowMs = clock.now()
  const expired = await transactions.findExpired(nowMs, EXPIRIES_AT_ONCE)
  for (const transaction of expired) {
    await transactions.changeStatus(transaction.code, lapsedStatusOf(transaction), nowMs)
  }
  return expired.length
}

/** An unpaid boleto is not paid; an unpaid PIX or wallet has expired (design decision 3). */
function lapsedStatusOf({ paymentType }: Transaction): TransactionStatus {
  return paymentType === 'postpay' ? 'NOT-PAID' : 'EXPIRED'
}
