// What the gateway asks of the vault, in process or over HTTP.
import type { CardDetails } from '../card/card-rules.js'
import type { Environment } from '../value/environment.js'
import type { MinorUnits } from '../value/money.js'
import type { Secret } from '../value/secret.js'

/** The card to charge: a direct token, the code of a saved card, or the card itself (stores that may send one). */
export type CardSource =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'raw'; readonly card: Secret<CardDetails> }

/** One authorization. Asked again with the same environment and transaction code, it is answered as before. */
export interface CardOrder {
  readonly environment: Environment
  readonly merchantId: string
  /** Idempotency key of the charge. */
  readonly transactionCode: string
  readonly source: CardSource
  readonly payerEmail: string
  /** What the card is charged, interest included. */
  readonly amountMinor: MinorUnits
  readonly installments: number
  /** The brand the shop named, if it did; another card is refused. */
  readonly brand?: string | undefined
  readonly saveCard: boolean
}

/** `unknown`: the acquirer was asked and its answer did not arrive; ask again with the same order. */
export type AuthorizationOutcome = 'approved' | 'declined' | 'pending' | 'review' | 'unknown'

/** What may leave the vault about a card. */
export interface CardSummary {
  readonly brand: string
  /** First six digits. */
  readonly bin: string
  readonly lastFour: string
}

/** A saved card, as the shop gets to see it. */
export interface SavedCardSummary {
  /** 32 alphanumeric characters. */
  readonly code: string
  readonly brand: string
  readonly lastFour: string
  /** `YYYY-MM`. */
  readonly expirationDate: string
  readonly createdAtMs: number
}

/** Why the acquirer was not asked. Nothing was charged and nothing was used up. */
export type CardRefusal =
  | 'token_invalid'
  | 'card_invalid'
  | 'brand_not_accepted'
  | 'brand_mismatch'
  | 'code_not_found'
  /** The vault was not reached, for certain: the same order may be sent again later. */
  | 'vault_unavailable'

export type CardAnswer =
  | {
      readonly kind: 'answered'
      readonly outcome: AuthorizationOutcome
      readonly card: CardSummary
      /** Present when this order saved the card. */
      readonly savedCard?: SavedCardSummary | undefined
    }
  | { readonly kind: 'refused'; readonly reason: CardRefusal }
