import { cardOf } from '../model/transaction/payment-details.js'
import {
  AUTHENTICATION_RESULT_LENGTH_MAX,
  ApiError,
  type AuthenticationAction,
  CARD_TYPE,
  type CardAnswer,
  type CardService,
  type DeclineReason,
  type Environment,
  type Log,
  type MinorUnits,
} from '@cofre/contracts'
import { capturedSums, isAuthorized } from '../model/transaction/capture.js'
import { storedRequest } from '../model/transaction/stored-request.js'
import { type Transaction, hasBeenPaid, isUndecided } from '../model/transaction/transaction.js'
import { type SettleByAnswerDeps, settleByAnswer } from './card-payment-service.js'
import { findByPublicId, payeeOf } from './payer-page-service.js'
import type { CardChangeStore, MerchantStore } from './ports.js'

/** A card payment as the pages of its authentication show it. */
export interface WaitingCard {
  readonly publicId: string
  readonly payee: string
  readonly amountMinor: MinorUnits
  /** `checking`: the outcome is not known yet, and the holder has nothing to do. */
  readonly state: 'waiting' | 'checking' | 'reserved' | 'paid' | 'declined'
  /** The holder's next step while the payment waits for it. */
  readonly action: AuthenticationAction | undefined
  readonly reason: DeclineReason
  /** The shop's page for the payer afterwards; undefined if the shop has given none. */
  readonly wayOn: string | undefined
}

export interface CardAuthenticationDeps extends SettleByAnswerDeps {
  readonly environment: Environment
  readonly log: Log
  readonly cards: CardService
  readonly merchants: MerchantStore
  readonly cardChanges: CardChangeStore
}

/**
 * The card payment behind a public address, as the vault has it at this moment.
 * @param result - The result that the holder has brought from the card's bank.
 * @throws ApiError route_not_found
 */
export async function followAuthentication(
  deps: CardAuthenticationDeps,
  publicId: string,
  result?: string,
): Promise<WaitingCard> {
  const found = await findByPublicId(deps, publicId)
  if (found?.paymentType !== CARD_TYPE) throw new ApiError('route_not_found')
  const answer = isUndecided(found) ? await askVault(deps, found, result) : undefined
  const action = answer?.kind === 'answered' ? answer.authentication?.action : undefined
  const current = (await deps.transactions.findByCode(found.code)) ?? found
  return {
    publicId,
    payee: await payeeOf(deps, current),
    amountMinor: capturedSums(current).chargedMinor,
    state: stateOf(current, action),
    action,
    reason: reasonOf(current),
    wayOn: wayOnOf(current),
  }
}

/** Commits an end that the vault reports; undefined if the vault does not answer. */
async function askVault(
  deps: CardAuthenticationDeps,
  transaction: Transaction,
  result = '',
): Promise<CardAnswer | undefined> {
  const { cards, clock, environment, log } = deps
  const transactionCode = String(transaction.code)
  const isResult = result !== '' && result.length <= AUTHENTICATION_RESULT_LENGTH_MAX
  let answer: CardAnswer | undefined
  try {
    answer = await cards.authenticate({
      environment,
      transactionCode,
      ...(isResult && { result }),
    })
  } catch (error) {
    log.error({ transaction: transactionCode, error }, 'the vault did not answer an authentication')
  }
  if (answer?.kind !== 'answered') return undefined
  if (answer.outcome === 'approved' || answer.outcome === 'declined')
    if (transaction.open) await settleByAnswer(deps, transaction, answer)
    else await deps.cardChanges.settle(transaction.code, answer, clock.now())
  return answer
}

function stateOf(
  transaction: Transaction,
  action: AuthenticationAction | undefined,
): WaitingCard['state'] {
  if (isUndecided(transaction)) return action === undefined ? 'checking' : 'waiting'
  if (isAuthorized(transaction)) return 'reserved'
  return hasBeenPaid(transaction) ? 'paid' : 'declined'
}

function reasonOf(transaction: Transaction): DeclineReason {
  return cardOf(transaction)?.decline?.reason ?? 'generic'
}

/** The payer's next page after the end of the payment, from its request. */
function wayOnOf(transaction: Transaction): string | undefined {
  const urls = storedRequest(transaction).transaction?.['redirect-urls']
  return isAccepted(transaction) ? urls?.success : urls?.fail
}

/** For its payer, an authorized payment is as good as a paid one. */
function isAccepted(transaction: Transaction): boolean {
  return hasBeenPaid(transaction) || isAuthorized(transaction)
}
