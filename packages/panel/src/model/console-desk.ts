// What the console's own pages ask of the desk, which comes from outside.
import type { Secret, TransactionStatus } from '@cofre/contracts'
import type { Merchant, Milestones, RefundOutcome } from '@cofre/gateway/room'

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

/** The result of a change by hand. */
type ChangeResult = 'changed' | 'not-found' | 'not-allowed'

/** What developers see and decide where the bank is played. */
export interface SandboxDesk {
  /** Changes a status where allowed, and notifies. The current status is notified again. */
  readonly changeStatus: (
    storeId: string,
    code: string,
    to: TransactionStatus,
  ) => Promise<ChangeResult>
  /** Ends a refund that is PROCESSING, and notifies. */
  readonly finishRefund: (
    storeId: string,
    refundId: string,
    to: RefundOutcome,
  ) => Promise<ChangeResult>
  /** Deletes answered transactions with all that belongs to them. */
  readonly deleteTestData: (storeId: string) => Promise<void>
  /** How much becomes due after a time and until another, in epoch milliseconds. */
  readonly dueBetween: (
    storeId: string,
    time: { readonly afterMs: number; readonly untilMs: number },
  ) => Promise<{ readonly expiries: number; readonly notifications: number }>
  /** When each milestone was first reached, in epoch milliseconds; null: not yet. */
  readonly milestones: (storeId: string) => Promise<Milestones>
  /** Differs when transactions, refunds or notifications have changed; a few index probes. */
  readonly revision: (storeId: string) => Promise<string>
}
