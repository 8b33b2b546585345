import type { Clock, TransactionStatus } from '@cofre/contracts'
import {
  ACTIVATION_PATIENCE_MS,
  type CardActivationDeps,
  tryActivation,
} from './card-activation-service.js'
import type { Transaction } from '../model/transaction/transaction.js'
import type { TransactionCode } from '../model/transaction/transaction-code.js'

export interface StatusDeps extends CardActivationDeps {
  readonly clock: Clock
}

/**
 * Moves a transaction to a status that a bank, a wallet or a review has reported. Undefined, and nothing changed, when
 * the transaction may not go there. The card that a completed transaction saved becomes usable, by a worker where the
 * vault does not answer at once.
 */
export async function recordStatus(
  deps: StatusDeps,
  code: TransactionCode,
  to: TransactionStatus,
): Promise<Transaction | undefined> {
  const moved = await deps.transactions.changeStatus(code, {
    to,
    atMs: deps.clock.now(),
    activateAtMs: deps.machineClock.now() + ACTIVATION_PATIENCE_MS,
  })
  if (moved?.activateAtMs !== undefined) await tryActivation(deps, moved)
  return moved
}
