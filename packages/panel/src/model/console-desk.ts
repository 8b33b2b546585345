// Ports of the console's own pages to the sandbox's desk.
import type { Secret } from '@cofre/contracts'
import type { Merchant, Milestones } from '@cofre/gateway/room'
import type { ChangesPayments, CountsDue } from '@cofre/sandbox'

/** Stores and their secrets. */
export interface StoreDesk {
  readonly findMerchant: (storeId: string) => Promise<Merchant | undefined>
  /** The enabled store with these credentials; undefined if wrong. Compares in constant time. */
  readonly signIn: (storeId: string, secret: string) => Promise<Merchant | undefined>
  /**
   * Gives a store a new secret; the old one signs for another 24 hours.
   * @param replaces - Requires that the store is enabled and that this is its current secret.
   * @returns the old secret's end, in epoch milliseconds; undefined if there is no such store
   */
  readonly rotateSecret: (
    storeId: string,
    secret: Secret<string>,
    replaces?: Secret<string>,
  ) => Promise<number | undefined>
}

/** Views and actions of developers in the sandbox. */
export interface SandboxDesk extends ChangesPayments, CountsDue {
  /** Deletes answered transactions with all that belongs to them. */
  readonly deleteTestData: (storeId: string) => Promise<void>
  /** When each milestone was first reached, in epoch milliseconds; null: not yet. */
  readonly milestones: (storeId: string) => Promise<Milestones>
  /** Changes with transactions, refunds or notifications; costs a few index probes. */
  readonly revision: (storeId: string) => Promise<string>
}
