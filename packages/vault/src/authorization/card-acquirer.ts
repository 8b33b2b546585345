import type {
  AuthorizationOutcome,
  CardDetails,
  Environment,
  MinorUnits,
  Secret,
} from '@cofre/contracts'

/** A card as the acquirer gets it. A saved card has no CVV. */
export type AcquirerCard = Omit<CardDetails, 'cvv'> & Partial<Pick<CardDetails, 'cvv'>>

/** One authorization to ask for. */
export interface AcquirerRequest {
  /** The transaction's code: unique in its environment. */
  readonly idempotencyKey: string
  readonly environment: Environment
  readonly merchantId: string
  readonly card: Secret<AcquirerCard>
  readonly amountMinor: MinorUnits
  readonly installments: number
}

/** The way to the card networks: the only code outside the vault that receives a card. */
export interface CardAcquirer {
  /**
   * Asks for an authorization. Asking again with the same key returns the first answer and charges
   * nothing more. Throwing, or not answering within 20 s, means that the outcome is unknown: the
   * vault will ask again.
   */
  authorize(request: AcquirerRequest): Promise<AuthorizationOutcome>
}
