// What is kept of the index and of what it counts, and how it is read.
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
   * Reads some of what is new, of what has changed, and of what was asked for. Returns whether
   * there may be more at once: not while another worker is at it.
   * @param rest - Called after each unit of work, with how long what was read first has waited.
   */
  round(time: IndexTime, rest: (ageMs: number) => Promise<void>): Promise<boolean>
  /** How long the payment or change that has waited longest for the index has waited. */
  ageMs(nowMs: number): Promise<number>
}

/** Some payments of a store, in the order that was asked for. */
export interface FoundPayments {
  readonly transactions: readonly Transaction[]
  readonly next: string | undefined
  readonly searchedToMs: number | undefined
  readonly isCutShort: boolean
  readonly isCardNumber: boolean
}

export interface PaymentSearchStore {
  /** In at most five round trips, and as many to the archive. */
  find(storeId: string, query: PaymentQuery): Promise<FoundPayments>
  /** What the payments of a store can be filtered by: it has some of each. */
  choices(storeId: string): Promise<PaymentChoices>
}

export interface FiguresStore {
  /** All that was counted of a store in a period, by day, method, detail and account. */
  read(storeId: string, period: FiguresPeriod): Promise<readonly CountedFigure[]>
  /** Whether a store's example payments are being made, or are all there. */
  examplesOf(storeId: string): Promise<'making' | 'made' | undefined>
  /** What example payments have added in all periods; undefined of a store without any. */
  ofExamples(storeId: string): Promise<readonly FigurePart[] | undefined>
}
