import { type Clock, type Environment, type Log, MINUTE_MS } from '@cofre/contracts'
import type { TransactionCode } from '../transaction/transaction-code.js'
import type { TransactionStore } from '../transaction/transaction-store.js'
import type { CardPayments } from './card-payments.js'

export interface CardActivationDeps {
  readonly environment: Environment
  readonly transactions: TransactionStore
  readonly cards: CardPayments
  /** The machine's own time, for leases. */
  readonly machineClock: Clock
  readonly log: Log
}

/**
 * How long an activation may take to be answered before a worker asks for it, or asks again; longer than any time-out on
 * the way.
 */
export const ACTIVATION_PATIENCE_MS: number = MINUTE_MS

const ACTIVATIONS_AT_ONCE = 20

/** Activates the cards of completed transactions that a crash or an absent vault has left waiting. */
export async function activateWaitingCards(deps: CardActivationDeps): Promise<void> {
  const waiting = await deps.transactions.claimActivations({
    machineNowMs: deps.machineClock.now(),
    leaseMs: ACTIVATION_PATIENCE_MS,
    limit: ACTIVATIONS_AT_ONCE,
  })
  await Promise.all(waiting.map(({ code }) => activateCard(deps, code)))
}

/** Makes the card that a completed transaction saved usable. It goes on waiting while the vault does not answer. */
export async function activateCard(
  { environment, transactions, cards, log }: CardActivationDeps,
  code: TransactionCode,
): Promise<void> {
  try {
    await cards.activateSavedCard(environment, String(code))
    await transactions.finishActivation(code)
  } catch (error) {
    log.warn({ transaction: code, error }, 'a saved card is not activated yet')
  }
}
