import {
  type AuthorizationOutcome,
  type CardAnswer,
  type CardOrder,
  type CardRefusal,
  type CardSummary,
  type Decline,
  type Environment,
  type SavedCardSummary,
  Secret,
  type ThreeDSecureResult,
  binOf,
  brandOf,
  isAccepted,
} from '@cofre/contracts'
import type { CardPayer, CardToCharge, StoredCredential } from '@cofre/provider-kit/card'
import type { AuditEvent } from '../audit/audit-entry.js'
import type { SealContext, SealedText } from '../keys/sealed-value.js'
import type { PayerDigest } from '../saved-card/saved-card.js'
import {
  type CardCharge,
  acquirerChargeOf,
  authenticationOf,
  isAuthorizedOnly,
} from './card-charge.js'

export type KnownOutcome = Exclude<AuthorizationOutcome, 'unknown'>
export type AnsweredOrder = Extract<CardAnswer, { kind: 'answered' }>

/** The terms of an order. A gateway never sends other terms under the same code. */
export type OrderTerms = Pick<CardOrder, 'merchantId' | 'amountMinor' | 'installments'>

export function areSameTerms(one: OrderTerms, other: OrderTerms): boolean {
  return (
    one.merchantId === other.merchantId &&
    one.amountMinor === other.amountMinor &&
    one.installments === other.installments
  )
}

/** The data that an acquirer gets beside the order's terms: the same each time. */
export interface ChargeContent {
  readonly card: Secret<CardToCharge>
  readonly payer: CardPayer
  readonly storedCredential: StoredCredential | undefined
  readonly threeDSecure: ThreeDSecureResult | undefined
  readonly isFromLink: true | undefined
  /** The page to which the payer returns, if the payer may be authenticated. */
  readonly authenticationReturnUrl: string | undefined
  /** The saved card that pays. */
  readonly savedCardCode: string | undefined
}

interface StoredOrder extends OrderTerms {
  readonly environment: Environment
  readonly transactionCode: string
  readonly card: CardSummary
  /** True if its gateway understands charges and declines in answers. */
  readonly knowsCharges: boolean
  /** True if it understands a charge's authentication in answers, too. */
  readonly knowsAuthentication: boolean
  /** Only authorized: captured or voided later. */
  readonly isCapturedLater?: true | undefined
  /** Undefined if the acquirer is simulated. */
  readonly charge: CardCharge | undefined
}

/** An authorization of unknown outcome. Its content is kept, sealed, to ask the acquirer again. */
export interface OpenAuthorization extends StoredOrder {
  readonly state: 'open'
  readonly sealedContent: SealedText
  /** The payer who gets the card if it is saved; undefined if it isn't to be saved. */
  readonly saveForPayer: PayerDigest | undefined
  readonly createdAtMs: number
}

/** An authorization whose outcome was unknown until its card was erased. */
interface ErasedAuthorization extends StoredOrder {
  readonly state: 'erased'
}

/** An authorization whose outcome is known. Only a summary of the card is left. */
export interface SettledAuthorization extends StoredOrder {
  readonly state: 'settled'
  readonly answer: AnsweredOrder
}

/** An order that was recalled before it arrived. Its gateway withdrew it, so it is refused. */
interface VoidAuthorization {
  readonly state: 'void'
}

export type Arrived = OpenAuthorization | ErasedAuthorization | SettledAuthorization
export type Authorization = Arrived | VoidAuthorization

export type AuthorizationKey = Pick<StoredOrder, 'environment' | 'transactionCode'>

export interface OrderEnd {
  readonly outcome: AuthorizationOutcome
  readonly decline: Decline | undefined
  readonly savedCard: SavedCardSummary | undefined
}

/** The answer to an order; an old gateway gets only what it understands. */
export function answerTo(
  order: Pick<
    StoredOrder,
    'card' | 'knowsCharges' | 'knowsAuthentication' | 'isCapturedLater' | 'charge'
  >,
  { outcome, decline, savedCard }: OrderEnd,
): AnsweredOrder {
  const { card, charge, isCapturedLater, knowsAuthentication, knowsCharges } = order
  const isUncaptured = charge === undefined || isAuthorizedOnly(charge)
  return {
    kind: 'answered',
    outcome,
    isAuthorizedOnly: outcome === 'approved' && isUncaptured ? isCapturedLater : undefined,
    card,
    savedCard,
    charge:
      knowsCharges && charge !== undefined
        ? { ...acquirerChargeOf(charge), ...(knowsAuthentication && authenticationOf(charge)) }
        : undefined,
    decline: knowsCharges ? decline : undefined,
  }
}

/** The answer while an order's outcome is unknown. */
export function unknownAnswer(order: Arrived): AnsweredOrder {
  return answerTo(order, { outcome: 'unknown', decline: undefined, savedCard: undefined })
}

type RefusedOrder = Extract<CardAnswer, { kind: 'refused' }>

/** A refusal as its gateway understands it. Only the sandbox names a token's fault. */
export function refusalTo(
  { payer, environment }: Pick<CardOrder, 'payer' | 'environment'>,
  { kind, reason, tokenFault }: RefusedOrder,
): RefusedOrder {
  const isNew = reason === 'no_account' || reason === 'acquirer_unavailable'
  if (payer === undefined) return { kind, reason: isNew ? 'vault_unavailable' : reason }
  return { kind, reason, ...(environment === 'sandbox' && tokenFault && { tokenFault }) }
}

/**
 * The reason to refuse this number; undefined if its brand is accepted and as the shop named it.
 */
export function brandRefusal(
  number: string,
  namedBrand: string | undefined,
): CardRefusal | undefined {
  const brand = brandOf(number)
  if (brand === undefined || !isAccepted(brand)) return 'brand_not_accepted'
  return namedBrand === undefined || namedBrand === brand.name ? undefined : 'brand_mismatch'
}

/** The reason to refuse this number; undefined if the order doesn't exclude its BIN. */
export function binRefusal(
  number: string,
  refusedBins: readonly string[] | undefined,
): CardRefusal | undefined {
  return refusedBins?.some((bin) => number.startsWith(bin)) === true ? 'bin_refused' : undefined
}

/** The length of BIN that all gateways accept. */
const SHORT_BIN = 6

export function summarizeCard(
  { number }: CardToCharge,
  { takesLongBin }: Pick<CardOrder, 'takesLongBin'>,
): CardSummary {
  return {
    brand: brandOf(number)?.name ?? '',
    bin: takesLongBin === true ? binOf(number) : number.slice(0, SHORT_BIN),
    lastFour: number.slice(-4),
  }
}

type Ordered = Pick<OpenAuthorization, 'environment' | 'transactionCode' | 'merchantId'>

export function authorizationContext({
  environment,
  merchantId,
  transactionCode,
}: Ordered): SealContext {
  return { purpose: 'authorization', environment, merchantId, recordId: transactionCode }
}

/** Replaces the holder's name if a gateway of Cofre 0.2.0 has not named the payer. */
const UNNAMED = 'PORTADOR'

export function payerOf({ payer, payerEmail: email }: CardOrder): CardPayer {
  const { name = UNNAMED, document, ip } = payer ?? {}
  return { name, document, email, ip }
}

/** The card's own fields are at the top level, as in content that Cofre 0.2.0 sealed. */
export function serializeContent({ card, threeDSecure, ...content }: ChargeContent): string {
  const cavv = threeDSecure?.cavv.reveal()
  return JSON.stringify({
    ...card.reveal(),
    ...content,
    threeDSecure: threeDSecure && { ...threeDSecure, cavv },
  })
}

type SerializedContent = CardToCharge &
  Partial<Omit<ChargeContent, 'card' | 'threeDSecure'>> & {
    readonly threeDSecure?: Omit<ThreeDSecureResult, 'cavv'> & { readonly cavv: string }
  }

export function parseContent(text: string): ChargeContent {
  const {
    payer,
    storedCredential,
    savedCardCode,
    threeDSecure,
    isFromLink,
    authenticationReturnUrl,
    ...card
  } = JSON.parse(text) as SerializedContent
  return {
    card: new Secret(card),
    payer: payer ?? { name: UNNAMED, document: undefined, email: undefined, ip: undefined },
    storedCredential,
    savedCardCode,
    isFromLink,
    authenticationReturnUrl,
    threeDSecure: threeDSecure && { ...threeDSecure, cavv: new Secret(threeDSecure.cavv) },
  }
}

/** The audit event of an order that was answered. */
export function authorizationEvent(
  { environment, transactionCode, merchantId }: Ordered,
  outcome: KnownOutcome | CardRefusal,
): AuditEvent {
  return {
    actor: `store:${merchantId}`,
    action: 'card.authorized',
    environment,
    merchantId,
    record: transactionCode,
    outcome,
  }
}

/** The audit event of a gateway's request for an order's outcome. */
export function recallEvent(key: AuthorizationKey, outcome: 'found' | 'void'): AuditEvent {
  const { environment, transactionCode: record } = key
  return { actor: 'gateway', action: 'authorization.recalled', environment, record, outcome }
}

/** The audit event of a saved card's activation. */
export function activationEvent(environment: Environment, code: string): AuditEvent {
  const active = { action: 'saved_card.activated', record: code, outcome: 'active' } as const
  return { actor: 'gateway', environment, ...active }
}
