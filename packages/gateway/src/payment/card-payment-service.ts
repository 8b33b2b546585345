import {
  ApiError,
  type CardAnswer,
  type CardOrder,
  type CardRefusal,
  type CardService,
  type Clock,
  type Environment,
  type ErrorName,
  type Log,
} from '@cofre/contracts'
import { type AnsweredCard, captureOf, learntCard } from '../model/card/learnt-card.js'
import { type Transaction, statusOfOutcome } from '../model/transaction/transaction.js'
import { withdraw } from './withdrawal-service.js'
import type { TransactionStore } from './ports.js'
import type { ReportLimit } from './decline-limit-service.js'

export interface CardPaymentDeps extends SettleByAnswerDeps {
  readonly environment: Environment
  readonly log: Log
  readonly cards: CardService
  readonly reportLimit: ReportLimit
}

/**
 * Requests the charge of an open intent's card from the vault, and commits its answer.
 * @throws ApiError if the vault refuses before it calls an acquirer. The intent is gone then; one
 * that a search has let stand is CANCELLED instead. service_unavailable if a search has withdrawn
 * it
 */
export async function payByCard(
  deps: CardPaymentDeps,
  intent: Transaction,
  order: CardOrder,
): Promise<Transaction> {
  const answer = await deps.cards.authorize(order).catch((error: unknown) => {
    const fields = { transaction: order.transactionCode, error }
    deps.log.error(fields, 'the vault did not answer an authorization')
    return undefined
  })
  if (answer?.kind === 'refused') {
    // A search has withdrawn it, and the vault with it: the vault has reported nothing on its card.
    const isWithdrawn = (await deps.transactions.findByCode(intent.code)) === undefined
    if (isWithdrawn) throw new ApiError('service_unavailable')
    const standing = await withdrawOrCancel(deps, intent)
    if (answer.reason === 'bin_refused') deps.reportLimit(intent, 'bin')
    if (standing === undefined) throw refusalError(answer, order)
    return standing
  }
  return await settleByAnswer(deps, intent, answer)
}

/**
 * Asks the vault for the outcome of an open intent's order, and commits it. If the order never
 * arrived, a transaction that was returned to the shop is cancelled. Any other intent is withdrawn,
 * and its reference may be used again.
 * @returns the resulting transaction; undefined if it was withdrawn
 */
export async function recallCardPayment(
  deps: CardPaymentDeps,
  intent: Transaction,
): Promise<Transaction | undefined> {
  const answer = await deps.cards.recallAuthorization(deps.environment, String(intent.code))
  if (answer === undefined || answer.kind === 'refused') return await withdrawOrCancel(deps, intent)
  // While the outcome stays unknown, a transaction that is UNDER-REVIEW has not changed.
  const isAsBefore = answer.outcome === 'unknown' && intent.status === 'UNDER-REVIEW'
  return isAsBefore ? intent : await settleByAnswer(deps, intent, answer)
}

/** Nothing was charged, and nothing will be: withdraws the intent, or cancels it. */
async function withdrawOrCancel(
  deps: CardPaymentDeps,
  intent: Transaction,
): Promise<Transaction | undefined> {
  const { transactions, clock } = deps
  if ((await withdraw(deps, intent)) === undefined) return undefined
  return await transactions.settle(intent, { status: 'CANCELLED', open: false, atMs: clock.now() })
}

export interface SettleByAnswerDeps {
  readonly clock: Clock
  readonly notifyDelayMs: number
  readonly transactions: TransactionStore
}

/** Commits the vault's answer. A lost answer is an unknown outcome: the intent stays open. */
export async function settleByAnswer(
  { transactions, clock, notifyDelayMs }: SettleByAnswerDeps,
  intent: Transaction,
  answer: AnsweredCard | undefined,
): Promise<Transaction> {
  const outcome = answer?.outcome ?? 'unknown'
  const atMs = clock.now()
  const capture = answer && captureOf(intent, answer, atMs)
  return await transactions.settle(intent, {
    status: capture === undefined ? statusOfOutcome(outcome) : 'PENDING',
    open: outcome === 'unknown',
    ...(answer !== undefined && learntCard(answer)),
    ...(capture !== undefined && { capture }),
    atMs,
    notifyAtMs: atMs + notifyDelayMs,
  })
}

const REFUSAL_ERRORS: Readonly<Record<CardRefusal, ErrorName>> = {
  token_invalid: 'charge_#_payment_info_token_invalid',
  brand_not_accepted: 'charge_#_payment_info_token_invalid',
  brand_mismatch: 'charge_#_payment_method_sub_type_invalid',
  bin_refused: 'payer_blacklisted',
  card_invalid: 'charge_#_payment_info_credit_card_invalid',
  code_not_found: 'charge_#_payment_info_code_not_found',
  security_code_token_invalid: 'charge_#_payment_info_security_code_token_invalid',
  vault_unavailable: 'service_unavailable',
  no_account: 'unavailable_payment_method',
  acquirer_unavailable: 'service_unavailable',
  capture_later_not_possible: 'capture_later_not_possible',
}

type Refused = Extract<CardAnswer, { kind: 'refused' }>

/** Refusals without a faulty field of the request. */
const WITHOUT_FIELD: readonly CardRefusal[] = [
  'bin_refused',
  'vault_unavailable',
  'no_account',
  'acquirer_unavailable',
]

function faultyField(reason: CardRefusal, { kind }: CardOrder['source']): string {
  if (reason === 'capture_later_not_possible') return 'capture'
  if (reason === 'security_code_token_invalid') return 'security-code-token'
  return kind === 'raw' ? 'credit-card' : kind
}

function refusalError({ reason, tokenFault }: Refused, { source }: CardOrder): ApiError {
  const name = REFUSAL_ERRORS[reason]
  if (reason === 'no_account') return new ApiError([{ name, cause: 'no-account' }])
  if (WITHOUT_FIELD.includes(reason)) return new ApiError(name)
  const property =
    reason === 'brand_mismatch'
      ? 'charge[0].payment-method.sub-type'
      : `charge[0].payment-info.${faultyField(reason, source)}`
  return new ApiError([{ name, property, constraint: reason, index: 0, cause: tokenFault }])
}
