import type { Clock, Log, TransactionStatus } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import type { Transaction } from '../model/transaction/transaction.js'
import type { TransactionStore } from '../model/transaction/transaction-store.js'

export interface ExpiryDeps {
  readonly transactions: TransactionStore
  readonly clock: Clock
  readonly log: Log
}

const EXPIRIES_AT_ONCE = 100

/** Ends transactions that nobody paid in time; returns how many. */
export async function expireUnpaid({ transactions, clock, log }: ExpiryDeps): Promise<number> {
  const nowMs = clock.now()
  const expired = await transactions.findExpired(nowMs, EXPIRIES_AT_ONCE)
  let lapsed = 0
  for (const transaction of expired) {
    try {
      const move = { to: lapsedStatusOf(transaction), atMs: nowMs }
      await transactions.changeStatus(transaction.code, move)
      lapsed++
    } catch (error) {
      // Nor could the others be ended: the worker tries again later.
      if (isUnavailable(error)) throw error
      log.error({ transaction: transaction.code, error }, 'a transaction could not be ended')
    }
  }
  return lapsed
}

/** An unpaid boleto is not paid; an unpaid PIX or wallet has expired (specification, decision 3 of section 10). */
function lapsedStatusOf({ paymentType }: Transaction): TransactionStatus {
  return paymentType === 'postpay' ? 'NOT-PAID' : 'EXPIRED'
}
