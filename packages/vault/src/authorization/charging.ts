import type { CheckRefusal, CheckedCard, Environment, Secret } from '@cofre/contracts'
import type { Acquirer, CardToCharge, ChargeOutcome } from '@cofre/provider-kit/card'

/** A store in an environment, which has its own accounts there. */
export interface StoreOfCharges {
  readonly environment: Environment
  readonly merchantId: string
}

/** The properties that choose an order's accounts among its store's. */
export interface OrderToRoute {
  readonly brand: string
  readonly installments: number
  /** Only authorized: its accounts are found with their `captureDays`. */
  readonly isCapturedLater?: true | undefined
}

/** An acquirer's answer to one attempt of an account. */
export interface AnsweredAttempt {
  readonly environment: Environment
  readonly accountId: string
  /** `adyen` */
  readonly provider: string
  readonly brand: string
  readonly outcome: ChargeOutcome
}

/** The answer to a check of a card. */
export interface AnsweredCheck {
  readonly environment: Environment
  readonly outcome: CheckedCard['outcome'] | CheckRefusal
}

/** Receives the events of charges, for metrics. Blocks nothing, and throws nothing. */
export interface ChargeObserver {
  /** A card was checked without a charge, or its check was refused. */
  cardChecked(check: AnsweredCheck): void
  attemptAnswered(attempt: AnsweredAttempt): void
  /** A charge of a saved card is sent without an id that the card's brand wants. */
  sentUnlinked(attempt: Omit<AnsweredAttempt, 'outcome'>): void
  /** The brands forbid the retry: no acquirer was asked. */
  retryRefused(refused: Pick<AnsweredAttempt, 'environment' | 'brand'>): void
}

/** A simulated acquirer, or one for all stores: it has no account. */
export interface PlayedAcquirer extends Pick<
  Acquirer,
  'authorize' | 'check' | 'completeAuthentication'
> {
  /** A saved card that is in no vault; undefined for another code. */
  readonly savedCard?: (code: string) => Secret<CardToCharge> | undefined
}
