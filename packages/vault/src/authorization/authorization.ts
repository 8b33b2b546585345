import {
  type AuthorizationOutcome,
  type CardAnswer,
  type CardOrder,
  type CardRefusal,
  type CardSummary,
  type Environment,
  Secret,
  brandOf,
} from '@cofre/contracts'
import type { AuditEvent } from '../audit/audit-entry.js'
import type { SealContext, SealedText } from '../keys/sealed-value.js'
import type { PayerDigest } from '../saved-card/saved-card.js'
import type { AcquirerCard } from './card-acquirer.js'

export type KnownOutcome = Exclude<AuthorizationOutcome, 'unknown'>
export type AnsweredOrder = Extract<CardAnswer, { kind: 'answered' }>

/** What an order asks for. A gateway never sends other terms under the same code. */
export type OrderTerms = Pick<CardOrder, 'merchantId' | 'amountMinor' | 'installments'>

export function areSameTerms(one: OrderTerms, other: OrderTerms): boolean {
  return (
    one.merchantId === other.merchantId &&
    one.amountMinor === other.amountMinor &&
    one.installments === other.installments
  )
}

/** An authorization of unknown outcome. Its card is kept, sealed, to ask the acquirer again. */
export interface OpenAuthorization extends OrderTerms {
  readonly state: 'open'
  readonly environment: Environment
  readonly transactionCode: string
  readonly card: CardSummary
  readonly sealedCard: SealedText
  /** Whose the card becomes when it is saved; undefined when it is not to be. */
  readonly saveForPayer: PayerDigest | undefined
  readonly createdAtMs: number
}

/** An authorization whose outcome is known. Nothing of the card is left but its summary. */
interface SettledAuthorization extends OrderTerms {
  readonly state: 'settled'
  readonly answer: AnsweredOrder
}

/** An order that was recalled before it arrived: its gateway gave it up, so it is refused. */
interface VoidAuthorization {
  readonly state: 'void'
}

export type Authorization = OpenAuthorization | SettledAuthorization | VoidAuthorization

export type AuthorizationKey = Pick<OpenAuthorization, 'environment' | 'transactionCode'>

/** Why this number is refused; undefined when its brand is accepted and as the shop named it. */
export function brandRefusal(
  number: string,
  namedBrand: string | undefined,
): CardRefusal | undefined {
  const brand = brandOf(number)
  if (brand?.accepted !== true) return 'brand_not_accepted'
  return namedBrand === undefined || namedBrand === brand.name ? undefined : 'brand_mismatch'
}

const BIN_LENGTH = 6

/** Why this number is refused, whose BIN the order may exclude; undefined when it does not. */
export function binRefusal(
  number: string,
  refusedBins: readonly string[] | undefined,
): CardRefusal | undefined {
  return refusedBins?.includes(number.slice(0, BIN_LENGTH)) ? 'bin_refused' : undefined
}

export function summarizeCard({ number }: AcquirerCard): CardSummary {
  return {
    brand: brandOf(number)?.name ?? '',
    bin: number.slice(0, BIN_LENGTH),
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

export function serializeCard(card: Secret<AcquirerCard>): string {
  return JSON.stringify(card.reveal())
}

export function parseCard(text: string): Secret<AcquirerCard> {
  return new Secret(JSON.parse(text) as AcquirerCard)
}

/** What the audit log says of an order that was answered. */
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

/** What the audit log says when the gateway asks what became of an order. */
export function recallEvent(key: AuthorizationKey, outcome: 'found' | 'void'): AuditEvent {
  const { environment, transactionCode: record } = key
  return { actor: 'gateway', action: 'authorization.recalled', environment, record, outcome }
}

/** What the audit log says when the card that an order saved may be used. */
export function activationEvent(environment: Environment, code: string): AuditEvent {
  const active = { action: 'saved_card.activated', record: code, outcome: 'active' } as const
  return { actor: 'gateway', environment, ...active }
}
