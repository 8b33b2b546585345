import type { Log } from '@cofre/contracts'
import type { CardFieldsLibrary } from './order/card-part.js'

/** The payment page's dependencies besides its gateway. */
export interface PaymentPageOptions {
  /** Its address for browsers: the public origin of its environment's API. */
  readonly url: string
  readonly cardFields: CardFieldsLibrary
  /** The sender of a request, from its connection and a trusted proxy's headers. */
  readonly addressOf: (request: Request, bindings: object) => string
  /** The environment's time. */
  readonly now: () => number
  readonly log: Log
  /** True if an error means that a service behind the gateway is temporarily unavailable. */
  readonly isUnavailable: (error: unknown) => boolean
}
