import type { Log } from '@cofre/contracts'
import type { CardFieldsLibrary } from './order/card-part.js'

/** What the payment page needs besides its gateway. */
export interface PaymentPageOptions {
  /** Where browsers reach it: the public origin of its environment's API. */
  readonly url: string
  readonly cardFields: CardFieldsLibrary
  /** Who sent a request, by its connection and what a trusted proxy says. */
  readonly addressOf: (request: Request, bindings: object) => string
  /** The environment's time. */
  readonly now: () => number
  readonly log: Log
  /** Whether an error means that what the gateway needs is away for the moment. */
  readonly isUnavailable: (error: unknown) => boolean
}
