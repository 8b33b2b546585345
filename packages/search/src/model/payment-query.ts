import {
  type ListPage,
  type Metadata,
  type MinorUnits,
  type PaymentStatus,
  type PaymentType,
  cursorBy,
} from '@cofre/contracts'
import type { ListedBeside, Transaction } from '@cofre/gateway/room'

/** A payment's place in a list: by time or amount, then by its code. */
export const PAYMENT_CURSOR = cursorBy({ key: 'bigint', code: 'bigint' })

export const PAYMENT_SORTS = ['newest', 'oldest', 'highest', 'lowest'] as const
/** By time or by amount. */
export type PaymentSort = (typeof PAYMENT_SORTS)[number]

export function isByAmount(sort: PaymentSort): boolean {
  return sort === 'highest' || sort === 'lowest'
}

/** Filters that all payments of a list match. */
export interface PaymentFilters {
  readonly status?: PaymentStatus | undefined
  readonly method?: PaymentType | undefined
  readonly brand?: string | undefined
  /** Id of the account that was asked for the money. */
  readonly account?: string | undefined
  /** The amount without interest. */
  readonly amountMinor?: MinorUnits | undefined
  /** The payer's whole e-mail. */
  readonly email?: string | undefined
  /** The payer's CPF or CNPJ without punctuation. */
  readonly document?: string | undefined
  /** Keys of the store with their values; a payment has them all. */
  readonly metadata?: Metadata | undefined
}

/** The available filters of a store's payments, in alphabetical order. */
export interface PaymentChoices {
  readonly brands: readonly string[]
  readonly accounts: readonly string[]
}

/** A query of a store's payments. Times are in epoch milliseconds. */
export interface PaymentQuery extends PaymentFilters {
  /** The typed text: see {@link readSearchText}. */
  readonly text?: string | undefined
  /** The store's own reference of one payment, whole. */
  readonly reference?: string | undefined
  /** Set if the text must not find a payment by the payer's document. */
  readonly documents?: 'not-searched' | undefined
  /** Created at or after this time, accurate to a hundredth of a second. */
  readonly fromMs?: number | undefined
  /** Created before this time. */
  readonly untilMs?: number | undefined
  /** Default `newest`. */
  readonly sort?: PaymentSort | undefined
  /** The end of the page before. An invalid cursor selects the first page. */
  readonly after?: string | undefined
  /** The maximum number; default {@link PAYMENTS_A_PAGE}. */
  readonly limit?: number | undefined
}

export const PAYMENTS_A_PAGE = 25

/** A payment in a list. */
export interface ListedPayment extends ListedBeside {
  readonly transaction: Transaction
  /** Empty once the payer's data is erased. */
  readonly payerName: string
  /** The sum of its refunds, without those in process. */
  readonly refundedMinor: MinorUnits
  /** Id of the account that was asked for the money. */
  readonly account: string | undefined
}

/** A page of the found payments. */
export interface PaymentPage extends ListPage<ListedPayment> {
  /**
   * Set if the search stopped early: payments before this time are on the next page, or those after
   * it if the oldest come first. Undefined in the order of amounts.
   */
  readonly searchedToMs?: number | undefined
  /** Less than a whole page was found, though there may be more payments. */
  readonly isCutShort: boolean
  /** The text was a card's number, so nothing was searched. */
  readonly isCardNumber: boolean
  /** The text names an order that is not decided yet: nothing is found, but it may exist. */
  readonly isUndecided?: true | undefined
}

export interface NamedPayer {
  readonly document: string
  readonly proof: string
}

/** Finds the payments of one store. */
export interface PaymentFinder {
  /** A page of the matching payments. */
  find(storeId: string, query: PaymentQuery): Promise<PaymentPage>
  /** All matching payments, page by page. */
  all(storeId: string, query: PaymentQuery): AsyncIterable<ListedPayment>
  /**
   * Payments of a payer, for people who see documents masked. Requires the document and a second
   * proof of the same payer: the whole e-mail, or a code or reference of one of its payments.
   * Undefined for any mismatch.
   */
  findOfPayer(storeId: string, payer: NamedPayer): Promise<readonly ListedPayment[] | undefined>
  /** The brands and accounts of the store's payments. */
  choices(storeId: string): Promise<PaymentChoices>
  /** The age of the payment or change that has waited longest for the index. */
  indexAgeMs(): Promise<number>
}
