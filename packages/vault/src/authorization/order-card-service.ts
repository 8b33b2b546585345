import {
  type CardAnswer,
  type CardDetails,
  type CardOrder,
  type CardRefusal,
  type CardSource,
  Secret,
  type TokenFault,
  brandOf,
  isSecurityCode,
  wrongCardFields,
} from '@cofre/contracts'
import type { CardToCharge, StoredCredential } from '@cofre/provider-kit/card'
import type { SealingDeps } from '../data-key/data-key-service.js'
import {
  type Deposited,
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
import type { ChargingDeps } from './charging-deps.js'

export type Refused = Extract<CardAnswer, { kind: 'refused' }>

export interface FoundCard {
  readonly kind: 'found'
  readonly card: Secret<CardToCharge>
  /** The token that is spent on the order. */
  readonly token?: SpentToken
  readonly savedCardCode?: string
  readonly storedCredential?: StoredCredential
}

type OrderDeps = SealingDeps & Pick<ChargingDeps, 'played'>

/** Finds the card that an order pays with. */
export async function findCard(deps: OrderDeps, order: CardOrder): Promise<FoundCard | Refused> {
  const found = await findCardOf(deps, order)
  if (found.kind === 'refused') return found
  const { number } = found.card.reveal()
  const reason = brandRefusal(number, order.brand) ?? binRefusal(number, order.refusedBins)
  return reason === undefined ? found : refused(reason)
}

async function findCardOf(deps: OrderDeps, order: CardOrder): Promise<FoundCard | Refused> {
  const { source, saveCard, isSubscription = false } = order
  if (source.kind === 'code') return await findSavedCard(deps, order, source)
  const found =
    source.kind === 'token'
      ? await findDepositedCard(deps, order.merchantId, source.token)
      : findRawCard(source.card, deps.clock.now())
  if (found.kind === 'refused' || !saveCard) return found
  const use = { use: 'first', isSubscription, networkTransactionId: undefined } as const
  return { ...found, storedCredential: use }
}

type SavedSource = Extract<CardSource, { kind: 'code' }>

async function findSavedCard(
  deps: OrderDeps,
  order: CardOrder,
  { code, securityCodeToken }: SavedSource,
): Promise<FoundCard | Refused> {
  const found = playedSavedCard(deps, order, code) ?? (await findKeptCard(deps, order, code))
  if (found.kind === 'refused' || securityCodeToken === undefined) return found
  const deposit = await findDeposit(deps, order.merchantId, securityCodeToken)
  return withSecurityCode(found, deposit)
}

function playedSavedCard(
  { played }: OrderDeps,
  { environment, isSubscription = false }: CardOrder,
  code: string,
): FoundCard | undefined {
  const card = played[environment]?.savedCard?.(code)
  const use = { use: 'later', isSubscription, networkTransactionId: undefined } as const
  return card && { kind: 'found', card, storedCredential: use }
}

async function findKeptCard(
  deps: OrderDeps,
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

/** A saved card with a deposited code, whose token the order spends. */
function withSecurityCode(found: FoundCard, deposit: Deposit): FoundCard | Refused {
  if (deposit.kind === 'fault') return invalidSecurityCode(deposit.fault)
  const { deposited, token } = deposit
  if (deposited.kind !== 'security-code') return invalidSecurityCode('malformed')
  const card = found.card.reveal()
  const cvv = deposited.code.reveal()
  return isSecurityCode(cvv, brandOf(card.number))
    ? { ...found, card: new Secret({ ...card, cvv }), token }
    : invalidSecurityCode('wrong_length')
}

/** The card of a direct token that is not spent. */
export async function findDepositedCard(
  deps: SealingDeps,
  merchantId: string,
  token: string,
): Promise<FoundCard | Refused> {
  const found = await findDeposit(deps, merchantId, token)
  if (found.kind === 'fault') return invalidToken(found.fault)
  const { deposited } = found
  return deposited.kind === 'card'
    ? { kind: 'found', card: deposited.card, token: found.token }
    : invalidToken('malformed')
}

type Deposit =
  | { readonly kind: 'found'; readonly deposited: Deposited; readonly token: SpentToken }
  | { readonly kind: 'fault'; readonly fault: TokenFault }

/** The content of a token that is not spent. */
async function findDeposit(
  { database, dataKeys, clock }: SealingDeps,
  merchantId: string,
  token: string,
): Promise<Deposit> {
  const digest = digestOf(token)
  const row = await findDirectToken(database.reader, digest)
  if (row === undefined) return fault(sessionIdOf(token) === undefined ? 'malformed' : 'unknown')
  const { sealed_card: sealedCard } = row
  if (row.expires_at_ms <= clock.now()) return fault('expired')
  if (sealedCard === null) return fault('used')
  const key = bindKey(await dataKeys.thatSealed(sealedCard), token)
  const deposited = parsePayload(open(key, sealedCard, directTokenContext(digest)))
  if (deposited === undefined) return fault('malformed')
  const { store = merchantId } = deposited
  if (store !== merchantId) return fault('foreign')
  return { kind: 'found', deposited, token: { digest, sealedCard } }
}

const fault = (reason: TokenFault): Deposit => ({ kind: 'fault', fault: reason })

function findRawCard(card: Secret<CardDetails>, nowMs: number): FoundCard | Refused {
  return wrongCardFields(card.reveal(), nowMs).length > 0
    ? refused('card_invalid')
    : { kind: 'found', card }
}

export function refused(reason: CardRefusal): Refused {
  return { kind: 'refused', reason }
}

function invalidToken(tokenFault: TokenFault): Refused {
  return { kind: 'refused', reason: 'token_invalid', tokenFault }
}

function invalidSecurityCode(tokenFault: TokenFault): Refused {
  return { kind: 'refused', reason: 'security_code_token_invalid', tokenFault }
}
