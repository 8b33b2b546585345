import type { TransactionStatus } from '@cofre/contracts'
import type { Transaction, TransactionCode } from '../model/transaction/transaction.js'
import { ACTIVATION_LEASE_MS } from './card-activation-service.js'
import type { GatewayDeps } from './gateway-deps.js'

/**
 * Moves a transaction to a status that a bank, a wallet or a review has reported. Its method
 * follows. Undefined, and nothing changed, when it may not go there.
 */
export async function recordStatus(
  { clock, machineClock, methods, transactions }: GatewayDeps,
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
