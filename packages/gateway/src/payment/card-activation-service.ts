import { MINUTE_MS, type TransactionStatus } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import { doEach } from '@cofre/work'
import type { GatewayDeps } from './gateway-deps.js'
import { learntCard } from '../model/card/learnt-card.js'
import type { LearntCard, Transaction, TransactionCode } from '../model/transaction/transaction.js'
import { chargeMethodOf } from '../model/payment-rail/bank-charge.js'

/** After which a worker retries an activation; longer than any time-out on the way. */
export const ACTIVATION_LEASE_MS: number = MINUTE_MS
const ACTIVATIONS_AT_ONCE = 20

/** The card is active, but the database has it waiting. Activating it twice is harmless. */
class ActivationNotRecordedError extends Error {
  constructor(cause: unknown) {
    super('the activation of a saved card could not be recorded', { cause })
    this.name = 'ActivationNotRecordedError'
  }
}

/**
 * Moves a transaction to a status that a bank, a wallet or a review has reported. Undefined, and
 * nothing changed, when it may not go there. The card that a completed transaction saved becomes
 * usable, by a worker where the vault does not answer at once.
 */
export async function recordStatus(
  deps: GatewayDeps,
  code: TransactionCode,
  to: TransactionStatus,
): Promise<Transaction | undefined> {
  const moved = await deps.transactions.changeStatus(code, {
    to,
    atMs: deps.clock.now(),
    activateAtMs: deps.machineClock.now() + ACTIVATION_LEASE_MS,
  })
  // Its bank must not take money for it any more.
  if (moved !== undefined && chargeMethodOf(moved.paymentType) && deps.bankOf !== undefined)
    await deps.bankCharges.lookAtCharge(moved.code, deps.machineClock.now())
  if (moved?.activateAtMs === undefined) return moved
  try {
    await activateCard(deps, moved)
  } catch (error) {
    logFailure(deps, moved, error)
  }
  return moved
}

/**
 * Activates the cards of completed transactions that a crash or an absent vault has left waiting.
 * @throws Error with the first failure when none could be activated; the database's when it is down
 */
export async function activateWaitingCards(deps: GatewayDeps): Promise<unknown> {
  const waiting = await deps.transactions.claimActivations({
    machineNowMs: deps.machineClock.now(),
    leaseMs: ACTIVATION_LEASE_MS,
    limit: ACTIVATIONS_AT_ONCE,
    unreadable(error, transaction) {
      deps.log.error({ transaction, error }, 'a waiting card could not be read')
    },
  })
  return await doEach(waiting, {
    work: (transaction) => activateCard(deps, transaction),
    name: ({ code }) => `transaction ${code}`,
    logFailure(transaction, error) {
      // The database is down: end the round.
      if (error instanceof ActivationNotRecordedError && isUnavailable(error)) throw error
      logFailure(deps, transaction, error)
    },
  })
}

async function activateCard(deps: GatewayDeps, transaction: Transaction): Promise<void> {
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
 * What the vault knows of an order whose answer was lost. It asks the acquirer while the outcome is
 * unknown: until then no card is saved, and none can be activated.
 * @throws Error while the outcome is unknown
 */
async function learnCard(
  { environment, cards }: GatewayDeps,
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

function logFailure({ log }: GatewayDeps, { code }: Transaction, error: unknown): void {
  const message =
    error instanceof ActivationNotRecordedError
      ? 'a saved card is active, which could not be recorded yet'
      : 'a saved card is not activated yet'
  log.warn({ transaction: code, error }, message)
}
