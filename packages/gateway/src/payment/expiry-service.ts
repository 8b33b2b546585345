import { isUnavailable } from '@cofre/sql'
import type { GatewayDeps } from '../model/gateway-deps.js'

const EXPIRIES_AT_ONCE = 100

/** Ends transactions that nobody paid in time; returns how many. */
export async function expireUnpaid({ transactions, clock, log }: GatewayDeps): Promise<number> {
  const nowMs = clock.now()
  const expired = await transactions.findExpired(nowMs, EXPIRIES_AT_ONCE)
  let lapsed = 0
  for (const transaction of expired) {
    try {
      // Specification, decision 3 of section 10.
      const to = transaction.paymentType === 'postpay' ? 'NOT-PAID' : 'EXPIRED'
      await transactions.changeStatus(transaction.code, { to, atMs: nowMs })
      lapsed++
    } catch (error) {
      // The database is down: end the round.
      if (isUnavailable(error)) throw error
      log.error({ transaction: transaction.code, error }, 'a transaction could not be ended')
    }
  }
  return lapsed
}
