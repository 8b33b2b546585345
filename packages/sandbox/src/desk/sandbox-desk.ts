// The sandbox's port to the desk of its gateway. The desk's room is injected.
import type { MinorUnits, TransactionStatus } from '@cofre/contracts'
import type { Merchant, RefundOutcome, Transaction } from '@cofre/gateway'

/** After one time and until another, in epoch milliseconds. */
export interface ClockStep {
  readonly afterMs: number
  readonly untilMs: number
}

/** The number of events that become due in a period. */
interface DueEvents {
  /** Unpaid payments that expire. */
  readonly expiries: number
  readonly notifications: number
}

export interface FindsStores {
  readonly findMerchant: (storeId: string) => Promise<Merchant | undefined>
}

/** The sandbox's view of a payment. */
interface FoundPayment {
  readonly transaction: Transaction
  readonly refunds: readonly { readonly id: number }[]
}

export interface FindsPayments {
  /** Undefined if the store has no transaction with that code. */
  readonly findTransaction: (storeId: string, code: string) => Promise<FoundPayment | undefined>
}

/** The result of a person's change. */
type DecisionResult = 'changed' | 'not-found' | 'not-allowed'

/** Reports the bank's decisions on a payment. */
export interface ChangesPayments {
  /** Changes a status if allowed, and notifies. The current status is notified again. */
  readonly changeStatus: (
    storeId: string,
    code: string,
    to: TransactionStatus,
  ) => Promise<DecisionResult>
  /** Ends a refund that is PROCESSING, and notifies. */
  readonly finishRefund: (
    storeId: string,
    refundId: string,
    to: RefundOutcome,
  ) => Promise<DecisionResult>
}

export interface CountsDue {
  /** The number of events that become due after one time and until another. */
  readonly dueBetween: (storeId: string, time: ClockStep) => Promise<DueEvents>
}

/** The decisions of a store's developers in their own tests. */
export interface ControlDesk extends FindsPayments, ChangesPayments, CountsDue {
  /** The transaction that a refund of the store belongs to. */
  readonly transactionOfRefund: (storeId: string, refundId: string) => Promise<string | undefined>
}

/** A refund of an example. */
interface ExampleRefund {
  readonly code: string
  readonly formId: string
  readonly amountMinor: MinorUnits
  readonly remainingMinor: MinorUnits
  readonly actor: string
  readonly reason: 'customer-request'
  readonly note: string
}

/** The actions that simulate an example's history. */
export interface ExamplesDesk {
  readonly backOffice: FindsPayments & ChangesPayments
  readonly paymentActs: {
    readonly refund: (storeId: string, order: ExampleRefund) => Promise<unknown>
  }
}

/** Blocks payers in all stores. */
export interface BlocksPayers {
  readonly block: (document: string, by: 'operator' | 'provider') => Promise<unknown>
}
