import {
  type CardAnswer,
  type CardDetails,
  type CardOrder,
  type CardRefusal,
  type Secret,
  type TokenFault,
  wrongCardFields,
} from '@cofre/contracts'
import type { CardToCharge, StoredCredential } from '@cofre/provider-kit/card'
import type { SealingDeps } from '../data-key/data-key-service.js'
import {
  digestOf,
  directTokenContext,
  parsePayload,
  sessionIdOf,
} from '../direct-token/direct-token.js'
import { findDirectToken } from '../direct-token/direct-token-sql.js'
import { bindKey, open } from '../keys/sealed-value.js'
import { openSavedCard } from '../saved-card/saved-card-service.js'
import { binRefusal, brandRefusal } from './authorization.js'
import type { SpentToken } from './authorization-begin-sql.js'

export type Refused = Extract<CardAnswer, { kind: 'refused' }>

export interface FoundCard {
  readonly kind: 'found'
  readonly card: Secret<CardToCharge>
  /** The token that is spent on the order. */
  readonly token?: SpentToken
  readonly savedCardCode?: string
  readonly storedCredential?: StoredCredential
}

/** Finds the card that an order pays with. */
export async function findCard(deps: SealingDeps, order: CardOrder): Promise<FoundCard | Refused> {
  const found = await findCardOf(deps, order)
  if (found.kind === 'refused') return found
  const { number } = found.card.reveal()
  const reason = brandRefusal(number, order.brand) ?? binRefusal(number, order.refusedBins)
  return reason === undefined ? found : refused(reason)
}

async function findCardOf(deps: SealingDeps, order: CardOrder): Promise<FoundCard | Refused> {
  const { source, saveCard, isSubscription = false } = order
  if (source.kind === 'code') return await findSavedCard(deps, order, source.code)
  const found =
    source.kind === 'token'
      ? await findDepositedCard(deps, order.merchantId, source.token)
      : findRawCard(source.card, deps.clock.now())
  if (found.kind === 'refused' || !saveCard) return found
  const use = { use: 'first', isSubscription, networkTransactionId: undefined } as const
  return { ...found, storedCredential: use }
}

async function findSavedCard(
  deps: SealingDeps,
  order: CardOrder,
  code: string,
): Promise<FoundCard | Refused> {
  const saved = await openSavedCard(deps, order, code)
  if (saved === undefined) return refused('code_not_found')
  const { card, links } = saved
  const { first, newest } = links
  const { isSubscription = false } = order
  const storedCredential = { use: 'later', isSubscription, ...first, newest } as const
  return { kind: 'found', card, savedCardCode: code, storedCredential }
}

/** The card of a direct token that is not spent. */
export async function findDepositedCard(
  { database, dataKeys, clock }: SealingDeps,
  merchantId: string,
  token: string,
): Promise<FoundCard | Refused> {
  const digest = digestOf(token)
  const deposited = await findDirectToken(database.reader, digest)
  if (deposited === undefined)
    return invalidToken(sessionIdOf(token) === undefined ? 'malformed' : 'unknown')
  const { sealed_card: sealedCard } = deposited
  if (deposited.expires_at_ms <= clock.now()) return invalidToken('expired')
  if (sealedCard === null) return invalidToken('used')
  const key = bindKey(await dataKeys.thatSealed(sealedCard), token)
  const payload = parsePayload(open(key, sealedCard, directTokenContext(digest)))
  if (payload === undefined) return invalidToken('malformed')
  const { store = merchantId } = payload
  if (store !== merchantId) return invalidToken('foreign')
  return { kind: 'found', card: payload.card, token: { digest, sealedCard } }
}

function findRawCard(card: Secret<CardDetails>, nowMs: number): FoundCard | Refused {
  return wrongCardFields(card.reveal(), nowMs).length > 0
    ? refused('card_invalid')
    : { kind: 'found', card }
}

export function refused(reason: CardRefusal): Refused {
  return { kind: 'refused', reason }
}

export function invalidToken(tokenFault: TokenFault): Refused {
  return { kind: 'refused', reason: 'token_invalid', tokenFault }
}
