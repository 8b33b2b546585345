import type { Transaction } from '../model/transaction/transaction.js'
import { type EndAuthorizedDeps, type EndResult, endAuthorized } from './authorized-end-service.js'

/**
 * Releases an authorized payment, unless a capture came first.
 * @param orderedBy - `store`, or the person who orders it.
 */
export async function voidPayment(
  deps: EndAuthorizedDeps,
  payment: Transaction,
  orderedBy: string,
): Promise<EndResult> {
  return await endAuthorized(deps, payment, { operation: 'void', orderedBy })
}
