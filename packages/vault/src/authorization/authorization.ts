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
import type { SealContext, SealedText } from '../keys/sealed-value.js'
import type { PayerDigest } from '../saved-card/saved-card.js'
import type { AcquirerCard } from './card-acquirer.js'

export type KnownOutcome = Exclude<AuthorizationOutcome, 'unknown'>
export type AnsweredOrder = Extract<CardAnswer, { kind: 'answered' }>

/** What an order asks for. The same code with anything else is another order, which a gateway never sends. */
export type OrderTerms = Pick<CardOrder, 'merchantId' | 'amountMinor' | 'installments'>

export function areSameTerms(one: OrderTerms, other: OrderTerms): boolean {
  return (
    one.merchantId === other.merchantId &&
    one.amountMinor === other.amountMinor &&
    one.installments === other.installments
  )
}

/** An authorization whose outcome is not known: its card is kept, sealed, so that the acquirer can be asked again. */
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

/** An order that was asked after before it arrived: it is refused for ever, because its asker has given it up. */
interface VoidAuthorization {
  readonly state: 'void'
}

export type Authorization = OpenAuthorization | SettledAuthorization | VoidAuthorization

export type AuthorizationKey = Pick<OpenAuthorization, 'environment' | 'transactionCode'>

/** Why a card of this number is refused; undefined when its brand is accepted and the one that the shop named. */
export function brandRefusal(
  number: string,
  namedBrand: string | undefined,
): CardRefusal | undefined {
  const brand = brandOf(number)
  if (brand?.accepted !== true) return 'brand_not_accepted'
  return namedBrand === undefined || namedBrand === brand.name ? undefined : 'brand_mismatch'
}

export function summarizeCard({ number }: AcquirerCard): CardSummary {
  return { brand: brandOf(number)?.name ?? '', bin: number.slice(0, 6), lastFour: number.slice(-4) }
}

export function authorizationContext(
  authorization: Pick<OpenAuthorization, 'environment' | 'transactionCode' | 'merchantId'>,
): SealContext {
  const { environment, merchantId, transactionCode } = authorization
  return { purpose: 'authorization', environment, merchantId, recordId: transactionCode }
}

export function serializeCard(card: Secret<AcquirerCard>): string {
  return JSON.stringify(card.reveal())
}

export function parseCard(text: string): Secret<AcquirerCard> {
  return new Secret(JSON.parse(text) as AcquirerCard)
}
