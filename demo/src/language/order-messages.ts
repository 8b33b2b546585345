import type { PaymentKind } from '../order/order-payment.js'
import type { RefundStatus } from '../order/order-refund.js'
import type { OrderState } from '../order/order-state.js'
import type { Notice } from './notice.js'

/** Texts about an order, for who placed it. */
export interface OrderMessages {
  readonly title: (code: string) => string
  readonly listTitle: string
  readonly listEmpty: Notice
  readonly code: string
  readonly reference: string
  readonly placedAt: string
  readonly items: string
  readonly payment: string
  readonly paymentNames: Readonly<Record<Exclude<PaymentKind, 'wallet'>, string>>
  readonly cardEnding: (brand: string, lastFour: string) => string
  readonly installments: string
  readonly email: string
  readonly view: string
  readonly tryAnotherCard: string
  readonly tryAnotherMethod: string
  readonly buyAgain: string
  readonly backToCart: string
  readonly checkAgain: string
  readonly cardSaved: string
  readonly history: string
  readonly placed: string
  readonly refunds: string
  readonly refundStates: Readonly<Record<RefundStatus, string>>
  /** What a screen reader hears when the order changes, before its state. */
  readonly news: string
  readonly copy: { readonly button: string; readonly done: string }
  readonly pix: {
    readonly title: string
    readonly steps: readonly string[]
    readonly scan: string
    readonly imageText: string
    readonly code: string
    readonly validUntil: (time: string) => string
    readonly remaining: string
    readonly ended: string
  }
  readonly boleto: {
    readonly title: string
    readonly dueDate: string
    readonly line: string
    readonly open: string
    readonly newTab: string
    readonly hint: string
  }
  readonly wallet: {
    readonly title: (name: string) => string
    readonly text: (name: string) => string
    readonly goOn: (name: string) => string
    readonly leaving: (name: string) => string
    readonly leavingText: string
  }
  readonly panel: { readonly text: string; readonly link: string }
  readonly states: Readonly<Record<OrderState, string>>
  readonly results: Readonly<Record<OrderState, Notice>>
  /** In place of `pending`, for what is not paid with a card. */
  readonly waiting: Readonly<Record<Exclude<PaymentKind, 'card'>, Notice>>
  /** In place of `rejected`, for what is not paid with a card. */
  readonly notStarted: Notice
  readonly notStartedState: string
  readonly partlyRefunded: Notice
  readonly partlyRefundedState: string
}
