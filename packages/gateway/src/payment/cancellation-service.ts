import { assertNever } from '@cofre/contracts'
import { type Transaction, hasBeenPaid } from '../model/transaction/transaction.js'
import { type PaymentMethods, waitsForPayer } from '../method/payment-method.js'
import type { TransactionStore } from './ports.js'

/** `not-answered`: nothing has changed, and the bank is asked again soon. */
export type Cancellation = 'cancelled' | 'not-answered' | 'paid-meanwhile' | 'not-possible'

export interface CancellationDeps {
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/** True if a payment waits for its payer. */
export function isCancellable(
  { methods }: CancellationDeps,
  { open, paymentType, status }: Transaction,
): boolean {
  return status === 'PENDING' && !open && waitsForPayer(methods.of(paymentType))
}

/** Ends a payment that waits for its payer; a charge at a bank is removed there first. */
export async function cancelWaiting(
  deps: CancellationDeps,
  transaction: Transaction,
): Promise<Cancellation> {
  const { methods, transactions } = deps
  if (isCancellable(deps, transaction))
    await methods.of(transaction.paymentType).cancel?.(transaction)
  return cancellationOf(deps, (await transactions.findByCode(transaction.code)) ?? transaction)
}

function cancellationOf(deps: CancellationDeps, transaction: Transaction): Cancellation {
  if (hasBeenPaid(transaction)) return 'paid-meanwhile'
  const { status } = transaction
  switch (status) {
    case 'CANCELLED':
      return 'cancelled'
    case 'PENDING':
      return isCancellable(deps, transaction) ? 'not-answered' : 'not-possible'
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
