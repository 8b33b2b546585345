// What the console's own pages ask of the desk, which comes from outside.
import type { Secret } from '@cofre/contracts'
import type { Merchant, Milestones } from '@cofre/gateway/room'
import type { ChangesPayments, CountsDue } from '@cofre/sandbox'

/** Stores and their secrets. */
export interface StoreDesk {
  readonly findMerchant: (storeId: string) => Promise<Merchant | undefined>
  /** The enabled store with these credentials; undefined if wrong. Compares in constant time. */
  readonly signIn: (storeId: string, secret: string) => Promise<Merchant | undefined>
  /**
   * Gives a store a new secret, whose old one signs for another 24 hours.
   * @param replaces - Only of an enabled store of which this is the current secret.
   * @returns until when, in epoch milliseconds; undefined when there is no such store
   */
  readonly rotateSecret: (
    storeId: string,
    secret: Secret<string>,
    replaces?: Secret<string>,
  ) => Promise<number | undefined>
}

/** What developers see and decide where the bank is played. */
export interface SandboxDesk extends ChangesPayments, CountsDue {
  /** Deletes answered transactions with all that belongs to them. */
  readonly deleteTestData: (storeId: string) => Promise<void>
  /** When each milestone was first reached, in epoch milliseconds; null: not yet. */
  readonly milestones: (storeId: string) => Promise<Milestones>
  /** Differs when transactions, refunds or notifications have changed; a few index probes. */
  readonly revision: (storeId: string) => Promise<string>
}
