import type { Clock, TransactionStatus } from '@cofre/contracts'
import type { Transaction, TransactionCode } from '../model/transaction/transaction.js'
import { ACTIVATION_LEASE_MS } from './card-activation-service.js'
import type { PaymentMethods } from '../method/payment-method.js'
import type { TransactionStore } from './ports.js'

export interface StatusReportDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/**
 * Moves a transaction to a status that a bank, a wallet or a review has reported. Its method
 * follows. Undefined, and nothing changed, when it may not go there.
 */
export async function recordStatus(
  { clock, machineClock, methods, transactions }: StatusReportDeps,
  code: TransactionCode,
  to: TransactionStatus,
): Promise<Transaction | undefined> {
  const moved = await transactions.changeStatus(code, {
    to,
    atMs: clock.now(),
    activateAtMs: machineClock.now() + ACTIVATION_LEASE_MS,
  })
  if (moved !== undefined) await methods.of(moved.paymentType).follow?.(moved)
  return moved
}
