import type { NotificationDetails, Transaction } from '@cofre/gateway/room'
import type { PanelParts, PerEnvironment } from '@cofre/panel/page'
import type { FC } from 'hono/jsx'
import type { PaymentActs } from '../../model/payment-acts.js'
import type { TransactionDetails } from '../../model/payment-file.js'

/** What the page of a payment asks of the desk. */
export interface PaymentDesk {
  /** Undefined when the store has none of that code. */
  readonly findTransaction: (
    storeId: string,
    code: string,
  ) => Promise<TransactionDetails | undefined>
  /** Of the PDF that a boleto's bank draws, where there is one. */
  readonly bankSlipPath: (transaction: Transaction) => Promise<string | undefined>
}

/** A payment link, beside a payment of it. */
export interface ShownLink {
  readonly id: string
  readonly reference: string
}

/** What the pages of a payment show. */
export interface ShownPayments {
  readonly desks: PerEnvironment<PaymentDesk>
  readonly paymentActs: PerEnvironment<PaymentActs>
  /** The payment link that a payment was made at; undefined for any other. */
  readonly linkOf: PerEnvironment<(storeId: string, code: string) => Promise<ShownLink | undefined>>
  /** How a notification is shown below its payment. */
  readonly NotificationCard: FC<{
    readonly details: NotificationDetails
    readonly headingLevel: 'h3'
  }>
}

export type PaymentParts = PanelParts & ShownPayments
