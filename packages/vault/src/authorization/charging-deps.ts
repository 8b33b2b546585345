import type { Environment, Log } from '@cofre/contracts'
import type { Acquirer } from '@cofre/provider-kit/card'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { ChargeRoute } from './card-charge.js'
import type { ChargeObserver, OrderToRoute, PlayedAcquirer, StoreOfCharges } from './charging.js'

/**
 * The accounts for an order, in the sequence in which they are asked. Undefined if the store has no
 * account at all. With accounts, charges are never simulated, even if no account can charge.
 */
export type AccountsForOrder = (order: OrderToRoute) => Promise<ChargeRoute | undefined>

export interface ChargingDeps extends SealingDeps {
  /** A store's accounts. They are read before its order's card is known. */
  readonly accountsOf: (store: StoreOfCharges) => Promise<AccountsForOrder>
  /** The acquirer of an account, also of one that takes no new charges. */
  readonly acquirerOf: (accountId: string) => Promise<Acquirer>
  /** The simulated acquirers for stores without an account. */
  readonly played: Readonly<Partial<Record<Environment, PlayedAcquirer>>>
  /** Identifies this installation's charges at acquirers: see `PaymentKey`. */
  readonly installation: string
  readonly observer?: ChargeObserver | undefined
  /** Milliseconds to wait for an acquirer's answer; default 20,000. */
  readonly acquirerTimeoutMs?: number | undefined
  /** Milliseconds to wait for another process that works on the order; default 3,000. */
  readonly leaseWaitMs?: number | undefined
  readonly log: Log
}
