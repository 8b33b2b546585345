import { ApiError, type TransactionRequest } from '@cofre/contracts'
import { type CardPaymentDeps, recallCardPayment } from './card-payment-service.js'
import { type RailPaymentDeps, payByRail } from './rail-payment-service.js'
import { doRound } from './claimed-round.js'
import { OPEN_INTENT_PATIENCE_MS } from '../model/transaction/open-intent.js'
import type { Transaction } from '../model/transaction/transaction.js'
import type { TransactionDeps } from './transaction-service.js'

export type OpenIntentDeps = CardPaymentDeps &
  RailPaymentDeps &
  Pick<TransactionDeps, 'environment' | 'machineClock'>

const INTENTS_AT_ONCE = 20

/**
 * Finishes what a crash, a lost answer or an acquirer that timed out has left open.
 * @throws Error with the first failure when none could be asked after
 */
export async function askAfterOpenIntents(deps: OpenIntentDeps): Promise<void> {
  const intents = await deps.transactions.claimOpenIntents({
    machineNowMs: deps.machineClock.now(),
    leaseMs: OPEN_INTENT_PATIENCE_MS,
    limit: INTENTS_AT_ONCE,
  })
  await doRound(intents, {
    work: (intent) => askAfter(deps, intent),
    tell({ code: transaction }, error) {
      deps.log.warn({ transaction, error }, 'an open intent is not answered yet')
    },
  })
}

async function askAfter(deps: OpenIntentDeps, intent: Transaction): Promise<void> {
  try {
    // No request's answer tells what is learnt here.
    if (intent.paymentType === 'credit-card')
      await recallCardPayment({ ...deps, notifyDelayMs: 0 }, intent)
    // The request was stored when it had been judged; only its card parts were left out.
    else await payByRail(deps, intent, JSON.parse(intent.requestJson) as TransactionRequest)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    deps.log.info({ transaction: intent.code }, 'an open intent was given up: nobody took it on')
  }
}
