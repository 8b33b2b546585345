import type { DeclineLimit } from '../model/purchase/decline-limits.js'
import type { Transaction } from '../model/transaction/transaction.js'
import type { MethodDeps } from './gateway-deps.js'

/** Reports that a card payment is refused for the declines before it: cards may be being tested. */
export function reportLimit(
  { declineLimitReached, environment, log }: MethodDeps,
  { merchantId }: Transaction,
  limit: DeclineLimit,
): void {
  declineLimitReached?.(limit)
  const fields = { environment, store: merchantId, limit }
  log.warn(fields, 'a card payment was refused: too many cards were declined before it')
}
