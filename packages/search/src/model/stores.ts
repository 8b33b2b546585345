// The stores of the index and its figures.
import type { Transaction } from '@cofre/gateway/room'
import type { FigurePart } from './payment-figures.js'
import type { PaymentChoices, PaymentQuery } from './payment-query.js'
import type { CountedFigure, FiguresPeriod } from './store-figures.js'

/** Times of both clocks. */
export interface IndexTime {
  readonly nowMs: number
  readonly machineNowMs: number
}

export interface SearchIndexStore {
  /**
   * Reads a batch of new, changed and requested payments. Returns true if more may be read at once;
   * false while another worker is reading.
   * @param rest - Called after each unit of work, with the age of the first payment or change in
   * it.
   */
  round(time: IndexTime, rest: (ageMs: number) => Promise<void>): Promise<boolean>
  /** The age of the payment or change that has waited longest for the index. */
  ageMs(nowMs: number): Promise<number>
}

/** Some payments of a store, in the requested order. */
export interface FoundPayments {
  readonly transactions: readonly Transaction[]
  readonly next: string | undefined
  readonly searchedToMs: number | undefined
  readonly isCutShort: boolean
  readonly isCardNumber: boolean
}

export interface PaymentSearchStore {
  /** Takes at most five round trips, and as many to the archive. */
  find(storeId: string, query: PaymentQuery): Promise<FoundPayments>
  /** The available filters of a store's payments: each matches some. */
  choices(storeId: string): Promise<PaymentChoices>
}

export interface FiguresStore {
  /** All counts of a store in a period, by day, method, detail and account. */
  read(storeId: string, period: FiguresPeriod): Promise<readonly CountedFigure[]>
  /** The state of a store's example payments; undefined without any. */
  examplesOf(storeId: string): Promise<'making' | 'made' | undefined>
  /** The contributions of example payments in all periods; undefined for a store without any. */
  ofExamples(storeId: string): Promise<readonly FigurePart[] | undefined>
}
