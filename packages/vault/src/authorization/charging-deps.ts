import type { Environment, Log } from '@cofre/contracts'
import type { Acquirer } from '@cofre/provider-kit/card'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { ChargeRoute } from './card-charge.js'
import type { ChargeObserver, OrderToRoute, PlayedAcquirer } from './charging.js'

/** Who charges cards. */
export interface ChargingDeps extends SealingDeps {
  /**
   * The store's accounts that charge such an order, in the order in which they are asked. Undefined
   * where it has no account at all: what has accounts is never played, not while none charges.
   */
  readonly accountsFor: (order: OrderToRoute) => Promise<ChargeRoute | undefined>
  /** The acquirer of an account, also of one that takes no new charges. */
  readonly acquirerOf: (accountId: string) => Promise<Acquirer>
  /** What charges where a store has no account. */
  readonly played: Readonly<Partial<Record<Environment, PlayedAcquirer>>>
  /** Names this installation's charges at acquirers: see `PaymentKey`. */
  readonly installation: string
  readonly observer?: ChargeObserver | undefined
  /** Milliseconds that an acquirer has to answer; default 20,000. */
  readonly acquirerTimeoutMs?: number | undefined
  /** Milliseconds that one waits for another process that talks for its order; default 3,000. */
  readonly leaseWaitMs?: number | undefined
  readonly log: Log
}
