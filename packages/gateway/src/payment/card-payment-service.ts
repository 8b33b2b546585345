import {
  ApiError,
  type CardAnswer,
  type CardOrder,
  type CardRefusal,
  type Clock,
  type Environment,
  type ErrorName,
  type Log,
} from '@cofre/contracts'
import { type Transaction, statusOfOutcome } from '../model/transaction/transaction.js'
import type { TransactionStore } from '../model/transaction/transaction-store.js'
import type { CardPayments } from '../model/card/card-payments.js'

export interface CardPaymentDeps {
  readonly transactions: TransactionStore
  readonly cards: CardPayments
  readonly clock: Clock
  readonly log: Log
  /**
   * Milliseconds from the answer of a creation to the notification of the status that it tells:
   * shops write their order after the answer, and refuse what comes before.
   */
  readonly notifyDelayMs: number
}

/**
 * Asks the vault to charge the card of an open intent, and commits its answer.
 * @throws ApiError when the vault refuses before asking anyone; the intent is gone then
 */
export async function payByCard(
  deps: CardPaymentDeps,
  intent: Transaction,
  order: CardOrder,
): Promise<Transaction> {
  const answer = await askForAuthorization(deps, order)
  if (answer?.kind === 'refused') {
    await deps.transactions.withdrawIntent(intent)
    throw refusalError(answer.reason, order)
  }
  return await settleByAnswer(deps, intent, answer)
}

/**
 * Asks the vault what became of the order of an open intent, and commits it. An order that never arrived is given up: a
 * transaction that the shop was told of is cancelled; an intent that nobody was told of is withdrawn, and its reference may
 * be used again.
 * @returns the transaction as it then is; undefined when it was withdrawn
 */
export async function recallCardPayment(
  deps: CardPaymentDeps & { readonly environment: Environment },
  intent: Transaction,
): Promise<Transaction | undefined> {
  const answer = await deps.cards.recallAuthorization(deps.environment, String(intent.code))
  if (answer === undefined || answer.kind === 'refused') return await giveUp(deps, intent)
  // While the outcome stays unknown, a transaction that is UNDER-REVIEW has not changed.
  const isAsBefore = answer.outcome === 'unknown' && intent.status === 'UNDER-REVIEW'
  return isAsBefore ? intent : await settleByAnswer(deps, intent, answer)
}

/** Nothing was charged, and nothing will be. */
async function giveUp(
  { transactions, clock }: CardPaymentDeps,
  intent: Transaction,
): Promise<Transaction | undefined> {
  if (await transactions.withdrawIntent(intent)) return undefined
  return await transactions.settle(intent, { status: 'CANCELLED', open: false, atMs: clock.now() })
}

/** Commits what the vault answered; a lost answer is an unknown outcome, and the intent stays open. */
async function settleByAnswer(
  { transactions, clock, notifyDelayMs }: CardPaymentDeps,
  intent: Transaction,
  answer: Extract<CardAnswer, { kind: 'answered' }> | undefined,
): Promise<Transaction> {
  const outcome = answer?.outcome ?? 'unknown'
  const atMs = clock.now()
  return await transactions.settle(intent, {
    status: statusOfOutcome(outcome),
    open: outcome === 'unknown',
    subType: answer?.card.brand,
    savedCard: answer?.savedCard,
    cardBin: answer?.card.bin,
    cardLastFour: answer?.card.lastFour,
    atMs,
    notifyAtMs: atMs + notifyDelayMs,
  })
}

/** Undefined when the answer got lost: the outcome is unknown, and the intent stays open. */
async function askForAuthorization(
  { cards, log }: CardPaymentDeps,
  order: CardOrder,
): Promise<CardAnswer | undefined> {
  try {
    return await cards.authorize(order)
  } catch (error) {
    log.error(
      { transaction: order.transactionCode, error },
      'the vault did not answer an authorization',
    )
    return undefined
  }
}

const REFUSAL_ERRORS: Readonly<Record<CardRefusal, ErrorName>> = {
  token_invalid: 'charge_#_payment_info_token_invalid',
  brand_not_accepted: 'charge_#_payment_info_token_invalid',
  brand_mismatch: 'charge_#_payment_method_sub_type_invalid',
  card_invalid: 'charge_#_payment_info_credit_card_invalid',
  code_not_found: 'charge_#_payment_info_code_not_found',
  vault_unavailable: 'service_unavailable',
}

function refusalError(reason: CardRefusal, { source }: CardOrder): ApiError {
  if (reason === 'vault_unavailable') return new ApiError(REFUSAL_ERRORS[reason])
  const field = source.kind === 'raw' ? 'credit-card' : source.kind
  const property =
    reason === 'brand_mismatch'
      ? 'charge[0].payment-method.sub-type'
      : `charge[0].payment-info.${field}`
  return new ApiError([{ name: REFUSAL_ERRORS[reason], property, constraint: reason, index: 0 }])
}
