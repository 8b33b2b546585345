import type { TransactionStatus } from '@cofre/contracts'
import type { RefundEnd } from '@cofre/gateway'

/** What the bank is going to report, once. */
export type BankEvent =
  | {
      readonly subject: 'transaction'
      /** Transaction code, decimal text. */
      readonly id: string
      readonly outcome: TransactionStatus
    }
  | {
      readonly subject: 'refund'
      /** Refund id, decimal text. */
      readonly id: string
      readonly outcome: RefundEnd
    }

/** What a worker asks for. */
export interface BankEventClaim {
  /** By the sandbox's clock, which decides what is due. */
  readonly nowMs: number
  /** By the machine's clock, which decides how long a claim holds. */
  readonly machineNowMs: number
  readonly leaseMs: number
  readonly limit: number
}

export interface BankEventStore {
  /**
   * Keeps an event, unless there already is one of the transaction or refund: the first stands.
   * @param dueAtMs - By the sandbox's clock.
   */
  plan(event: BankEvent, dueAtMs: number): Promise<void>
  /** Whether there is an event of the transaction or refund. */
  isKnown(event: Pick<BankEvent, 'subject' | 'id'>): Promise<boolean>
  /** Takes events that are due, each given to exactly one caller until its lease ends, even when called concurrently. */
  claimDue(claim: BankEventClaim): Promise<readonly BankEvent[]>
  /** Lets an event rest until then, by the machine's clock. */
  postpone(event: BankEvent, untilMachineMs: number): Promise<void>
  /** Forgets an event that was reported. */
  done(event: Pick<BankEvent, 'subject' | 'id'>): Promise<void>
}
