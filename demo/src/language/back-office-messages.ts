import type { RefundProblem } from '../back-office/refund-problem.js'
import type { OrderState } from '../order/order-state.js'

/** Texts for the shop's own people. */
export interface BackOfficeMessages {
  readonly title: string
  readonly openNote: string
  readonly found: (count: number) => string
  readonly empty: string
  readonly pages: string
  readonly page: (page: number, pages: number) => string
  readonly newer: string
  readonly older: string
  /** What a state asks of the shop. */
  readonly meanings: Readonly<Record<OrderState, string>>
  readonly notCurrent: string
  readonly refunds: string
  readonly refundRunning: string
  readonly nothingLeft: string
  readonly notRefundable: string
  readonly extent: string
  readonly everything: (amount: string) => string
  readonly partly: string
  readonly amount: string
  readonly amountHint: string
  readonly reference: string
  readonly referenceHint: string
  readonly refund: string
  readonly problemTitle: string
  readonly problems: Readonly<Record<RefundProblem, string>>
}
