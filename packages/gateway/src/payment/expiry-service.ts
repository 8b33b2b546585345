import type { Clock, Log } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import type { PaymentMethods } from '../method/payment-method.js'
import type { TransactionStore } from './ports.js'

const EXPIRIES_AT_ONCE = 100

export interface ExpiryDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/** Ends transactions that their payers did not pay in time; returns their number. */
export async function expireUnpaid(deps: ExpiryDeps): Promise<number> {
  const { transactions, clock, machineClock, methods, log } = deps
  const nowMs = clock.now()
  const machineNowMs = machineClock.now()
  const expired = await transactions.findExpired(nowMs, machineNowMs, EXPIRIES_AT_ONCE)
  let lapsed = 0
  for (const transaction of expired) {
    const { code, paymentType } = transaction
    try {
      const { unpaidStatus: to } = methods.of(paymentType)
      if ((await transactions.changeStatus(code, { to, atMs: nowMs })) !== undefined) lapsed++
    } catch (error) {
      // The database is down: end the round.
      if (isUnavailable(error)) throw error
      log.error({ transaction: code, error }, 'a transaction could not be ended')
      transactions.expireLater(transaction, machineNowMs)
    }
  }
  return lapsed
}
