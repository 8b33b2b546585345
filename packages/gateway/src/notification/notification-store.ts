import type { TransactionCode } from '../transaction/transaction-code.js'
import type { DeliveryAttempt, Notification } from './notification.js'

/** What a worker asks for. */
export interface ClaimRequest {
  /** By the environment's clock, which decides what is due. */
  readonly nowMs: number
  /** By the machine's clock, which decides how long a claim holds. */
  readonly machineNowMs: number
  readonly leaseMs: number
  readonly limit: number
  /** Notifications of one store that may be under way at once. */
  readonly perMerchant: number
}

/** What waits for a store. */
export interface NotificationBacklog {
  readonly merchantId: string
  /** Notifications that it has not acknowledged. */
  readonly waiting: number
  /** Creation of the oldest of them. Epoch milliseconds of the environment's clock. */
  readonly oldestMs: number
  /** Creation of the oldest that it was sent and did not acknowledge; undefined when there is none. Epoch milliseconds. */
  readonly refusedSinceMs: number | undefined
}

export interface NotificationStore {
  /**
   * Takes notifications that are due, each given to exactly one caller until its lease ends, even when called
   * concurrently. Of a transaction's notifications only the first that is not acknowledged is due.
   */
  claimDue(request: ClaimRequest): Promise<readonly Notification[]>
  /**
   * Keeps an attempt and ends the claim. An acknowledged notification rests, unless its transaction still has to be
   * searched; the others are due again.
   */
  recordAttempt(
    notification: Notification,
    attempt: DeliveryAttempt,
    nextAttemptAtMs: number,
  ): Promise<void>
  /** The store has searched these transactions: acknowledged notifications of theirs rest. */
  recordSearch(codes: readonly TransactionCode[], atMs: number): Promise<void>
  /** Every attempt of a transaction's notifications, oldest first. */
  attemptsOf(
    code: TransactionCode,
  ): Promise<readonly (DeliveryAttempt & { readonly position: number })[]>
  /** Stores that have not acknowledged everything they should have heard of. */
  backlog(): Promise<readonly NotificationBacklog[]>
  /** Makes a notification due again by hand; false when there is none. */
  resend(code: TransactionCode, position: number, atMs: number): Promise<boolean>
}
