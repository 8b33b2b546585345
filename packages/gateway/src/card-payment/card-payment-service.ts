import {
  ApiError,
  type CardAnswer,
  type CardOrder,
  type CardRefusal,
  type Clock,
  type ErrorName,
  type Log,
} from '@cofre/contracts'
import { type Transaction, statusOfOutcome } from '../transaction/transaction.js'
import type { TransactionStore } from '../transaction/transaction-store.js'
import type { CardPayments } from './card-payments.js'

export interface CardPaymentDeps {
  readonly transactions: TransactionStore
  readonly cards: CardPayments
  readonly clock: Clock
  readonly log: Log
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
  const atMs = deps.clock.now()
  if (answer === undefined) {
    return await deps.transactions.settle(intent.code, {
      status: statusOfOutcome('unknown'),
      open: true,
      atMs,
    })
  }
  if (answer.kind === 'refused') {
    await deps.transactions.withdrawIntent(intent.code)
    throw refusalError(answer.reason, order)
  }
  return await deps.transactions.settle(intent.code, {
    status: statusOfOutcome(answer.outcome),
    open: answer.outcome === 'unknown',
    subType: answer.card.brand,
    savedCard: answer.savedCard,
    cardBin: answer.card.bin,
    cardLastFour: answer.card.lastFour,
    atMs,
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
}

function refusalError(reason: CardRefusal, { source }: CardOrder): ApiError {
  const field = source.kind === 'raw' ? 'credit-card' : source.kind
  const property =
    reason === 'brand_mismatch'
      ? 'charge[0].payment-method.sub-type'
      : `charge[0].payment-info.${field}`
  return new ApiError([{ name: REFUSAL_ERRORS[reason], property, constraint: reason, index: 0 }])
}
