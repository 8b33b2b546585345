import type { Environment } from '@cofre/contracts'
import type { Acquirer, ChargeOutcome } from '@cofre/provider-kit/card'

/** What is known of an order when its accounts are chosen. */
export interface OrderToRoute {
  readonly environment: Environment
  readonly merchantId: string
  readonly brand: string
  readonly installments: number
}

/** What an account's acquirer has answered to one attempt. */
export interface AnsweredAttempt {
  readonly environment: Environment
  readonly accountId: string
  /** `adyen` */
  readonly provider: string
  readonly brand: string
  readonly outcome: ChargeOutcome
}

/** Hears of what happens to charges, for metrics. Holds up nothing, and throws nothing. */
export interface ChargeObserver {
  attemptAnswered(attempt: AnsweredAttempt): void
  /** A charge of a saved card is sent without an id that the card's brand wants. */
  sentUnlinked(attempt: Omit<AnsweredAttempt, 'outcome'>): void
  /** The brands forbid it: nobody was asked. */
  retryRefused(refused: Pick<AnsweredAttempt, 'environment' | 'brand'>): void
}

/** An acquirer that is played, or that stands for all stores: it keeps no account. */
export type PlayedAcquirer = Pick<Acquirer, 'authorize' | 'completeAuthentication'>
