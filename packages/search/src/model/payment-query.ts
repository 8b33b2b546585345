import {
  type ListPage,
  type MinorUnits,
  type PaymentType,
  type TransactionStatus,
  cursorBy,
} from '@cofre/contracts'
import type { ListedBeside, Transaction } from '@cofre/gateway/room'

/** Where a payment is in a list: by time or amount, then by its code. */
export const PAYMENT_CURSOR = cursorBy({ key: 'bigint', code: 'bigint' })

export const PAYMENT_SORTS = ['newest', 'oldest', 'highest', 'lowest'] as const
/** By time or by amount. */
export type PaymentSort = (typeof PAYMENT_SORTS)[number]

export function isByAmount(sort: PaymentSort): boolean {
  return sort === 'highest' || sort === 'lowest'
}

/** What all payments of a list have. */
export interface PaymentFilters {
  readonly status?: TransactionStatus | undefined
  readonly method?: PaymentType | undefined
  readonly brand?: string | undefined
  /** Id of the account that was asked for the money. */
  readonly account?: string | undefined
  /** Without interest. */
  readonly amountMinor?: MinorUnits | undefined
  /** Of the payer, whole. */
  readonly email?: string | undefined
  /** Of the payer: CPF or CNPJ without punctuation. */
  readonly document?: string | undefined
}

/** What a store's payments can be filtered by, in the order of the alphabet. */
export interface PaymentChoices {
  readonly brands: readonly string[]
  readonly accounts: readonly string[]
}

/** Which of a store's payments. Times in epoch milliseconds. */
export interface PaymentQuery extends PaymentFilters {
  /** What somebody typed: see {@link readSearchText}. */
  readonly text?: string | undefined
  /** The store's own, whole: of one payment. */
  readonly reference?: string | undefined
  /** Whether the text finds no payment by the payer's document. Default: it does. */
  readonly documents?: 'not-searched' | undefined
  /** Created at or after, to the hundredth of a second. */
  readonly fromMs?: number | undefined
  /** Created before. */
  readonly untilMs?: number | undefined
  /** Default `newest`. */
  readonly sort?: PaymentSort | undefined
  /** Where the page before ended. What is no cursor begins with the first page. */
  readonly after?: string | undefined
  /** At most so many; default {@link PAYMENTS_A_PAGE}. */
  readonly limit?: number | undefined
}

export const PAYMENTS_A_PAGE = 25

/** A payment as lists show it. */
export interface ListedPayment extends ListedBeside {
  readonly transaction: Transaction
  /** Empty once it is erased. */
  readonly payerName: string
  /** What went back of its refunds, without those that are in process. */
  readonly refundedMinor: MinorUnits
  /** Id of the account that was asked for the money. */
  readonly account: string | undefined
}

/** Some of the payments that were asked for. */
export interface PaymentPage extends ListPage<ListedPayment> {
  /**
   * Set where so many payments were looked through that the rest is for another page: those before
   * it, or after it where the oldest come first. Undefined in the order of amounts.
   */
  readonly searchedToMs?: number | undefined
  /** A whole page was not found, though there may be more. */
  readonly isCutShort: boolean
  /** The text was a card's number: nothing was searched. */
  readonly isCardNumber: boolean
  /** The text names an order that is not decided yet: nothing is found, and it may be there. */
  readonly isUndecided?: true | undefined
}

export interface NamedPayer {
  readonly document: string
  readonly proof: string
}

/** Finds the payments of a store, and nothing of another one. */
export interface PaymentFinder {
  /** A page of what is asked for. */
  find(storeId: string, query: PaymentQuery): Promise<PaymentPage>
  /** All of it, page by page. */
  all(storeId: string, query: PaymentQuery): AsyncIterable<ListedPayment>
  /**
   * Payments of a payer, for who sees documents masked: by the document together with another
   * proof of the same payer, its whole e-mail, or a code or reference of one of its payments.
   * Undefined whatever was wrong.
   */
  findOfPayer(storeId: string, payer: NamedPayer): Promise<readonly ListedPayment[] | undefined>
  /** The brands and accounts that its payments have. */
  choices(storeId: string): Promise<PaymentChoices>
  /** How long the payment or change that has waited longest for the index has waited. */
  indexAgeMs(): Promise<number>
}
