import {
  ApiError,
  type CardCheckAnswer,
  type CardChecks,
  type CheckedCard,
  type Deadline,
  type Environment,
  type ErrorName,
  type SavedCardCreation,
} from '@cofre/contracts'
import { type Merchant, type PayerGuard, countedAddress, mayCheckCards } from '@cofre/gateway/room'
import { type SavedCardDeps, type ShownCard, answered, shownCard } from './saved-cards.js'

/** A card that was checked: saved, or declined with the reason. */
export type CheckedForStore = Pick<CheckedCard, 'decline' | 'atMs'> & {
  readonly card: ShownCard | undefined
}

/** Saves a card without a charge, once for each token. @throws ApiError for a refusal */
export type SaveCard = (
  merchant: Merchant,
  creation: SavedCardCreation,
  deadline: Deadline,
) => Promise<CheckedForStore>

interface CardSavingDeps extends SavedCardDeps {
  readonly environment: Environment
  readonly cards: SavedCardDeps['cards'] & CardChecks
  readonly payerGuard: PayerGuard
}

export function createCardSaving(deps: CardSavingDeps): SaveCard {
  const { cards, environment, payerGuard } = deps
  return async (merchant, { token, payer: sent }, deadline) => {
    if (!mayCheckCards(merchant, environment)) throw new ApiError('card_checks_not_allowed')
    const { document, email, ip, name } = sent
    const payer = { name, document: document.number, email, ip }
    const refusedBins = await payerGuard.admit(merchant, payer)
    const answer = await answered(deps, () =>
      cards.checkCard({
        environment,
        merchantId: merchant.id,
        token,
        payer,
        countedAddress: countedAddress(ip),
        ...(refusedBins.length > 0 && { refusedBins }),
        saveCard: true,
        deadline,
      }),
    )
    if (answer.kind === 'refused') throw refusal(deps, merchant, answer)
    const { outcome, decline, card, checkCode: code, savedCard, atMs } = answer
    if (outcome === 'unknown') throw new ApiError('card_check_unanswered')
    if (outcome === 'declined')
      await payerGuard.countDecline(merchant, payer, { code, bin: card.bin, atMs })
    return { card: savedCard && shownCard(deps, savedCard), decline, atMs }
  }
}

type Refused = Extract<CardCheckAnswer, { kind: 'refused' }>

const ERRORS: Readonly<Record<Refused['reason'], ErrorName>> = {
  token_invalid: 'saved_card_invalid',
  brand_not_accepted: 'saved_card_invalid',
  bin_refused: 'payer_blacklisted',
  no_account: 'card_check_not_supported',
  acquirer_unavailable: 'service_unavailable',
  check_not_supported: 'card_check_not_supported',
  too_many_checks: 'card_check_limit_reached',
  in_progress: 'idempotency_key_in_progress',
}

function refusal(
  { payerGuard }: CardSavingDeps,
  merchant: Merchant,
  { reason, tokenFault }: Refused,
): ApiError {
  if (reason === 'bin_refused') return payerGuard.binRefusal(merchant)
  const name = ERRORS[reason]
  if (name !== 'saved_card_invalid') return new ApiError(name)
  return new ApiError([{ name, property: 'token', constraint: tokenFault ?? reason }])
}
