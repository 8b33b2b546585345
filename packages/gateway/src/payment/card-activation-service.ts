import {
  type CardService,
  type Clock,
  type Environment,
  type Log,
  MINUTE_MS,
} from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import { type Lanes, createLanes, doEach } from '@cofre/work'
import { learntCard } from '../model/card/learnt-card.js'
import type { LearntCard, Transaction } from '../model/transaction/transaction.js'
import type { TransactionStore } from './ports.js'

/** After this time a worker retries an activation; longer than any time-out on the way. */
export const ACTIVATION_LEASE_MS: number = MINUTE_MS
const ACTIVATIONS_AT_ONCE = 20

/** The card is active, but still waits in the database. Activating it twice is harmless. */
class ActivationNotRecordedError extends Error {
  constructor(cause: unknown) {
    super('the activation of a saved card could not be recorded', { cause })
    this.name = 'ActivationNotRecordedError'
  }
}

export interface ActivateSavedCardDeps {
  readonly environment: Environment
  readonly log: Log
  readonly cards: CardService
  readonly transactions: TransactionStore
}

/**
 * Activates the card that a completed transaction may have saved; a worker does so if the vault
 * does not answer.
 */
export async function activateSavedCard(
  deps: ActivateSavedCardDeps,
  moved: Transaction,
): Promise<void> {
  if (moved.activateAtMs === undefined) return
  try {
    await activateCard(deps, moved)
  } catch (error) {
    logFailure(deps, moved, error)
  }
}

export interface CardActivationDeps extends ActivateSavedCardDeps {
  readonly machineClock: Clock
}

/**
 * Activates the waiting cards of completed transactions, after a crash or an outage of the vault.
 * @throws Error with the first failure if none could be activated; the database's if it is down
 */
export async function activateWaitingCards(
  deps: CardActivationDeps,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  const waiting = await deps.transactions.claimActivations({
    machineNowMs: deps.machineClock.now(),
    leaseMs: ACTIVATION_LEASE_MS,
    limit: ACTIVATIONS_AT_ONCE,
    busy: lanes.busy(),
    unreadable(error, transaction) {
      deps.log.error({ transaction, error }, 'a waiting card could not be read')
    },
  })
  return await doEach(waiting, {
    work: (transaction) => lanes.run(transaction.lane, () => activateCard(deps, transaction)),
    name: ({ code }) => `transaction ${code}`,
    logFailure(transaction, error) {
      // The database is down: end the round.
      if (error instanceof ActivationNotRecordedError && isUnavailable(error)) throw error
      logFailure(deps, transaction, error)
    },
  })
}

async function activateCard(deps: ActivateSavedCardDeps, transaction: Transaction): Promise<void> {
  const { environment, transactions, cards } = deps
  const { code, savedCard } = transaction
  const learnt = savedCard === undefined ? await learnCard(deps, transaction) : undefined
  await cards.activateSavedCard(environment, String(code))
  try {
    await transactions.finishActivation(code, learnt)
  } catch (error) {
    throw new ActivationNotRecordedError(error)
  }
}

/**
 * The vault's facts about an order whose answer was lost. The vault asks the acquirer while the
 * outcome is unknown: until then no card is saved, and none can be activated.
 * @throws Error while the outcome is unknown
 */
async function learnCard(
  { environment, cards }: ActivateSavedCardDeps,
  { code }: Transaction,
): Promise<LearntCard | undefined> {
  const answer = await cards.recallAuthorization(environment, String(code))
  // The order never arrived, so it saved nothing.
  if (answer?.kind !== 'answered') return undefined
  if (answer.outcome !== 'unknown') return learntCard(answer)
  // The sandbox names its card with any outcome; some of its test cards stay unknown for ever.
  if (answer.savedCard !== undefined) return undefined
  throw new Error('the acquirer has not reported yet what became of the charge')
}

function logFailure({ log }: ActivateSavedCardDeps, { code }: Transaction, error: unknown): void {
  const message =
    error instanceof ActivationNotRecordedError
      ? 'a saved card is active, which could not be recorded yet'
      : 'a saved card is not activated yet'
  log.warn({ transaction: code, error }, message)
}
