import type { TransactionCode } from '../transaction/transaction-code.js'
import type { DeliveryAttempt, Notification } from './notification.js'
import type { StoreShares } from './store-shares.js'

/** What a worker asks for. */
export interface ClaimRequest {
  /** By the environment's clock, which decides what is due. */
  readonly nowMs: number
  /** By the machine's clock, which decides how long a claim holds. */
  readonly machineNowMs: number
  readonly leaseMs: number
  readonly limit: number
  readonly shares: Omit<StoreShares, 'acknowledged' | 'refused'>
  /** When a store that is probed now is sent the next notification, by the environment's clock. */
  readonly nextProbeAtMs: number
  /**
   * No notification or probe waits longer: one that would was put off before the clock was set
   * back.
   */
  readonly longestPauseMs: number
}

/** A notification that was taken to be delivered. */
export interface ClaimedNotification extends Notification {
  /**
   * Names the claim: no other of this notification ends then. By the machine's clock, in epoch
   * milliseconds.
   */
  readonly leaseUntilMs: number
}

/** What waits for a store. */
export interface NotificationBacklog {
  readonly merchantId: string
  /** Notifications that it has not acknowledged. */
  readonly waiting: number
  /** Creation of the oldest of them. Epoch milliseconds of the environment's clock. */
  readonly oldestMs: number
  /**
   * Creation of the oldest that it was sent and did not acknowledge; undefined when there is none.
   * Epoch milliseconds.
   */
  readonly refusedSinceMs: number | undefined
  /**
   * Creation of the oldest whose turn it is and that was not sent yet; undefined when there is
   * none. Epoch milliseconds.
   */
  readonly unsentSinceMs: number | undefined
  /** It was sent some of them, and did not acknowledge the last notification that it was sent. */
  readonly isFailing: boolean
  /** It has failed for long: until it acknowledges one, it is sent one of them every interval. */
  readonly isProbed: boolean
}

/** What came of an attempt that was not acknowledged. */
export type NotificationRefusal = Pick<DeliveryAttempt, 'atMs' | 'statusCode' | 'error'>

export interface NotificationStore {
  /**
   * Takes notifications that are due, each given to exactly one caller until its lease ends, even
   * when called concurrently. Of a transaction's notifications only the first of each kind that
   * does not rest is due. Of a store that has failed for long only one is taken, when its next
   * probe is due. Shares are counted before others' claims of the same moment, so several workers
   * may exceed them by as many as they take at once.
   */
  claimDue(request: ClaimRequest): Promise<readonly ClaimedNotification[]>
  /**
   * Keeps an attempt and ends its claim. An acknowledged notification rests, and the next of its
   * transaction and kind is due; a COMPLETE rests only when its transaction was searched or has
   * changed since. The others are due again at `nextAttemptAtMs`, which is also when a store is
   * first probed that has now failed for long. An attempt whose notification was resent or claimed
   * anew meanwhile is kept and changes nothing else.
   */
  recordAttempt(
    claimed: ClaimedNotification,
    attempt: DeliveryAttempt,
    nextAttemptAtMs: number,
  ): Promise<void>
  /**
   * The store has seen that these transactions are paid: their COMPLETE rests, or will when it is
   * acknowledged.
   */
  recordSearch(codes: readonly TransactionCode[], atMs: number): Promise<void>
  /** Every attempt of a transaction's notifications, oldest first. */
  attemptsOf(
    code: TransactionCode,
  ): Promise<readonly (DeliveryAttempt & { readonly position: number })[]>
  /** Stores that have not acknowledged everything that was due. */
  backlog(): Promise<readonly NotificationBacklog[]>
  /** The latest attempt at what a store has not acknowledged; undefined when there is none. */
  lastRefusal(merchantId: string): Promise<NotificationRefusal | undefined>
  /**
   * Makes a notification due again by hand, also while it is being delivered or its store is
   * probed, and lets later ones of its transaction and kind wait for it; false when there is none.
   */
  resend(code: TransactionCode, position: number, atMs: number): Promise<boolean>
}
