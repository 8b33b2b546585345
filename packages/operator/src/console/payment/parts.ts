import type { NotificationDetails, Transaction } from '@cofre/gateway/room'
import type { PanelParts, PerEnvironment } from '@cofre/panel/page'
import type { FC } from 'hono/jsx'
import type { PaymentActs } from '../../model/payment-acts.js'
import type { TransactionDetails } from '../../model/payment-file.js'

/** The page's port to the desk. */
export interface PaymentDesk {
  /** Undefined if the store has no transaction with that code. */
  readonly findTransaction: (
    storeId: string,
    code: string,
  ) => Promise<TransactionDetails | undefined>
  /** The path of a boleto's PDF by its bank, if there is one. */
  readonly bankSlipPath: (transaction: Transaction) => Promise<string | undefined>
}

/** A payment link, on the page of one of its payments. */
export interface ShownLink {
  readonly id: string
  readonly reference: string
}

/** The dependencies of a payment's pages. */
export interface ShownPayments {
  readonly desks: PerEnvironment<PaymentDesk>
  readonly paymentActs: PerEnvironment<PaymentActs>
  /** The payment link of a payment; undefined without one. */
  readonly linkOf: PerEnvironment<(storeId: string, code: string) => Promise<ShownLink | undefined>>
  /** The component of a notification below its payment. */
  readonly NotificationCard: FC<{
    readonly details: NotificationDetails
    readonly headingLevel: 'h3'
  }>
}

export type PaymentParts = PanelParts & ShownPayments
