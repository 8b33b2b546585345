import { type Clock, type Environment, type Log, MINUTE_MS } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import type { Transaction } from '../model/transaction/transaction.js'
import type { LearntCard, TransactionStore } from '../model/transaction/transaction-store.js'
import { doRound } from './claimed-round.js'
import type { CardPayments } from '../model/card/card-payments.js'

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

/** The card is active, but still noted as waiting. Its activation is asked for once more, which is harmless. */
class ActivationUnnotedError extends Error {
  constructor(cause: unknown) {
    super('the activation of a saved card could not be noted', { cause })
    this.name = 'ActivationUnnotedError'
  }
}

/**
 * Activates the cards of completed transactions that a crash or an absent vault has left waiting.
 * @throws Error with the first failure when none of them could be activated; the database's when it cannot work
 */
export async function activateWaitingCards(deps: CardActivationDeps): Promise<void> {
  const waiting = await deps.transactions.claimActivations({
    machineNowMs: deps.machineClock.now(),
    leaseMs: ACTIVATION_PATIENCE_MS,
    limit: ACTIVATIONS_AT_ONCE,
  })
  await doRound(waiting, {
    work: (transaction) => activateCard(deps, transaction),
    tell(transaction, error) {
      // Nor could others be noted: the worker tries again later.
      if (error instanceof ActivationUnnotedError && isUnavailable(error)) throw error
      tellFailure(deps, transaction, error)
    },
  })
}

/** Makes the card that a completed transaction saved usable. Where that fails, it waits for a worker. */
export async function tryActivation(
  deps: CardActivationDeps,
  transaction: Transaction,
): Promise<void> {
  try {
    await activateCard(deps, transaction)
  } catch (error) {
    tellFailure(deps, transaction, error)
  }
}

async function activateCard(deps: CardActivationDeps, transaction: Transaction): Promise<void> {
  const { environment, transactions, cards } = deps
  const { code, savedCard } = transaction
  const learnt = savedCard === undefined ? await learnCard(deps, transaction) : undefined
  await cards.activateSavedCard(environment, String(code))
  try {
    await transactions.finishActivation(code, learnt)
  } catch (error) {
    throw new ActivationUnnotedError(error)
  }
}

/**
 * What the vault says of an order whose answer was lost. It asks the acquirer while the outcome is unknown: until then no card
 * is saved, and none can be activated.
 * @throws Error while the outcome is unknown
 */
async function learnCard(
  { environment, cards }: CardActivationDeps,
  { code }: Transaction,
): Promise<LearntCard | undefined> {
  const answer = await cards.recallAuthorization(environment, String(code))
  // The order never arrived, so it saved nothing.
  if (answer?.kind !== 'answered') return undefined
  const { outcome, card, savedCard } = answer
  if (outcome !== 'unknown')
    return { subType: card.brand, savedCard, cardBin: card.bin, cardLastFour: card.lastFour }
  // The sandbox names its card with any outcome; some of its test cards stay unknown for ever.
  if (savedCard !== undefined) return undefined
  throw new Error('the acquirer has not said yet what became of the charge')
}

function tellFailure({ log }: CardActivationDeps, { code }: Transaction, error: unknown): void {
  const isActive = error instanceof ActivationUnnotedError
  const message = isActive
    ? 'a saved card is active, which could not be noted yet'
    : 'a saved card is not activated yet'
  log.warn({ transaction: code, error }, message)
}
