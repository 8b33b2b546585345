import { ApiError, type Clock, type Log } from '@cofre/contracts'
import { type Lanes, createLanes, doEach } from '@cofre/work'
import { type PaymentMethods, waitsForPayer } from '../method/payment-method.js'
import {
  OPEN_INTENT_CHECK_AFTER_MS,
  OPEN_INTENT_PAUSE_MAX_MS,
} from '../model/transaction/transaction.js'
import type { TransactionStore } from './ports.js'

const INTENTS_AT_ONCE = 20

export interface OpenIntentDeps {
  readonly machineClock: Clock
  readonly log: Log
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/**
 * Finishes open payments that their provider decides immediately, after a crash, a lost answer or
 * an acquirer's time-out.
 * @throws RoundFailedError if none could be finished
 */
export async function askAfterOpenIntents(
  deps: OpenIntentDeps,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  return await finishEach(deps, { waits: false, lanes })
}

/**
 * The same for payments that wait for their payer: a hanging bank delays no card.
 * @throws RoundFailedError if none could be finished
 */
export async function askAfterOpenCharges(
  deps: OpenIntentDeps,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  return await finishEach(deps, { waits: true, lanes })
}

interface OpenIntents {
  /** True for payments that wait for their payers. */
  readonly waits: boolean
  readonly lanes: Lanes
}

async function finishEach(deps: OpenIntentDeps, { waits, lanes }: OpenIntents): Promise<unknown> {
  const { methods, transactions } = deps
  const asked = methods.all.filter((method) => waitsForPayer(method) === waits)
  const claim = {
    machineNowMs: deps.machineClock.now(),
    leaseMs: OPEN_INTENT_CHECK_AFTER_MS,
    ...(waits && { pauseMaxMs: OPEN_INTENT_PAUSE_MAX_MS }),
    limit: INTENTS_AT_ONCE,
    busy: lanes.busy(),
    unreadable(error: unknown, transaction: number) {
      deps.log.error({ transaction, error }, 'an open intent could not be read')
    },
  }
  const types = asked.map(({ type }) => type)
  return await doEach(await transactions.claimOpenIntents(claim, types), {
    name: ({ code }) => `transaction ${code}`,
    async work(intent) {
      try {
        await lanes.run(intent.lane, () => methods.of(intent.paymentType).finish(intent))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        deps.log.info(
          { transaction: intent.code },
          'intent withdrawn: its payment method did not accept it',
        )
      }
    },
    logFailure({ code: transaction }, error) {
      deps.log.warn({ transaction, error }, 'an open intent is not answered yet')
    },
  })
}
