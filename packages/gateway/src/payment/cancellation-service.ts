import { assertNever } from '@cofre/contracts'
import { type Transaction, hasBeenPaid } from '../model/transaction/transaction.js'
import { recordStatus } from './card-activation-service.js'
import type { GatewayDeps } from './gateway-deps.js'
import { removeLiveCharge } from './charge-look-service.js'

/** `not-answered`: nothing has changed, and the bank is asked again soon. */
export type Cancellation = 'cancelled' | 'not-answered' | 'paid-meanwhile' | 'not-possible'

/** Acquirers and banks decide on cards within the hour: nobody cancels them before. */
export function isCancellable({ open, paymentType, status }: Transaction): boolean {
  return status === 'PENDING' && !open && paymentType !== 'credit-card'
}

/** Ends a payment that waits for its payer; a charge at a bank is removed there first. */
export async function cancelWaiting(
  deps: GatewayDeps,
  transaction: Transaction,
): Promise<Cancellation> {
  const { bankCharges, transactions } = deps
  if (isCancellable(transaction)) {
    const charge = await bankCharges.find(transaction.code)
    if (charge === undefined) await recordStatus(deps, transaction.code, 'CANCELLED')
    else await removeLiveCharge(deps, charge)
  }
  return cancellationOf((await transactions.findByCode(transaction.code)) ?? transaction)
}

function cancellationOf(transaction: Transaction): Cancellation {
  if (hasBeenPaid(transaction)) return 'paid-meanwhile'
  const { status } = transaction
  switch (status) {
    case 'CANCELLED':
      return 'cancelled'
    case 'PENDING':
      return isCancellable(transaction) ? 'not-answered' : 'not-possible'
    case 'UNDER-REVIEW':
    case 'EXPIRED':
    case 'NOT-PAID':
    case 'COMPLETE':
    case 'REFUNDED':
    case 'CHARGEBACK':
      return 'not-possible'
    default:
      return assertNever(status)
  }
}
