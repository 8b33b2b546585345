import { ApiError } from '@cofre/contracts'
import { type Lanes, createLanes, doEach } from '@cofre/work'
import type { GatewayDeps } from './gateway-deps.js'
import {
  OPEN_INTENT_PATIENCE_MS,
  OPEN_INTENT_PAUSE_MAX_MS,
  type Transaction,
} from '../model/transaction/transaction.js'
import { storedRequest } from '../model/transaction/stored-request.js'
import { recallCardPayment } from './card-payment-service.js'
import { removeUnseen } from './charge-removal-service.js'
import { payByRail } from './rail-payment-service.js'

const INTENTS_AT_ONCE = 20

/**
 * Finishes what a crash, a lost answer or an acquirer that timed out has left open of cards.
 * @throws Error with the first failure when none could be asked after
 */
export async function askAfterOpenIntents(deps: GatewayDeps): Promise<unknown> {
  // No response to a request has this status: notify at once.
  const asked = { methods: 'cards', lanes: createLanes() } as const
  return await askAfterEach(deps, asked, (intent) =>
    recallCardPayment({ ...deps, notifyDelayMs: 0 }, intent),
  )
}

/**
 * The same of boletos, PIX charges and wallets: a bank that hangs delays no card.
 * @throws Error with the first failure when none could be asked after
 */
export async function askAfterOpenCharges(
  deps: GatewayDeps,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  return await askAfterEach(deps, { methods: 'others', lanes }, (intent) =>
    finishUnpaid(deps, intent),
  )
}

async function askAfterEach(
  deps: GatewayDeps,
  { methods, lanes }: { readonly methods: 'cards' | 'others'; readonly lanes: Lanes },
  finish: (intent: Transaction) => Promise<unknown>,
): Promise<unknown> {
  const claim = {
    machineNowMs: deps.machineClock.now(),
    leaseMs: OPEN_INTENT_PATIENCE_MS,
    ...(methods === 'others' && { pauseMaxMs: OPEN_INTENT_PAUSE_MAX_MS }),
    limit: INTENTS_AT_ONCE,
    busy: lanes.busy(),
    unreadable(error: unknown, transaction: number) {
      deps.log.error({ transaction, error }, 'an open intent could not be read')
    },
  }
  return await doEach(await deps.transactions.claimOpenIntents(claim, methods), {
    name: ({ code }) => `transaction ${code}`,
    async work(intent) {
      try {
        await lanes.run(intent.bankAccountId, () => finish(intent))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        deps.log.info(
          { transaction: intent.code },
          'an open intent was given up: nobody accepted it',
        )
      }
    },
    logFailure({ code: transaction }, error) {
      deps.log.warn({ transaction, error }, 'an open intent is not answered yet')
    },
  })
}

/** A charge that no payer has seen is removed at its bank; whoever asked may ask again then. */
async function finishUnpaid(deps: GatewayDeps, intent: Transaction): Promise<void> {
  const charge = await deps.bankCharges.find(intent.code)
  if (charge !== undefined) await removeUnseen(deps, intent, { charge })
  else await payByRail(deps, intent, storedRequest(intent))
}
