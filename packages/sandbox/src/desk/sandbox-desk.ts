// What the sandbox asks of the desk of its gateway. The room that is the desk comes from outside.
import type { MinorUnits, TransactionStatus } from '@cofre/contracts'
import type { Merchant, RefundOutcome, Transaction } from '@cofre/gateway'

/** After one time and until another, in epoch milliseconds. */
export interface Period {
  readonly afterMs: number
  readonly untilMs: number
}

/** How much becomes due in a period. */
interface DueCount {
  /** Unpaid payments that lapse. */
  readonly expiries: number
  readonly notifications: number
}

export interface FindsStores {
  readonly findMerchant: (storeId: string) => Promise<Merchant | undefined>
}

/** A payment, as far as the sandbox reads it. */
interface FoundPayment {
  readonly transaction: Transaction
  readonly refunds: readonly { readonly id: number }[]
}

export interface FindsPayments {
  /** Undefined when the store has none of that code. */
  readonly findTransaction: (storeId: string, code: string) => Promise<FoundPayment | undefined>
}

/** The result of a change by hand. */
type ChangeResult = 'changed' | 'not-found' | 'not-allowed'

/** Reports what the bank decides of a payment. */
export interface ChangesPayments {
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
}

export interface CountsDue {
  /** How much becomes due after a time and until another. */
  readonly dueBetween: (storeId: string, time: Period) => Promise<DueCount>
}

/** What a store's developers decide from their own tests. */
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

/** By which examples become what they are. */
export interface ExamplesDesk {
  readonly backOffice: FindsPayments & ChangesPayments
  readonly paymentActs: {
    readonly refund: (storeId: string, order: ExampleRefund) => Promise<unknown>
  }
}

/** Which payers are refused, in all stores. */
export interface BlocksPayers {
  readonly block: (document: string, by: 'operator' | 'provider') => Promise<unknown>
}
