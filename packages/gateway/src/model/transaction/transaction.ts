import type {
  AuthorizationOutcome,
  MinorUnits,
  PaymentType,
  SavedCardSummary,
  TransactionStatus,
} from '@cofre/contracts'
import type { PaymentDetails } from './payment-details.js'
import type { TransactionCode } from './transaction-code.js'

/** A transaction. All payments are in BRL, in Brazil. */
export interface Transaction {
  readonly code: TransactionCode
  readonly merchantId: string
  /** The store's own identifier; used once per store. */
  readonly reference: string
  readonly status: TransactionStatus
  /** The payment method was, or is about to be, asked and has not answered with a known outcome. */
  readonly open: boolean
  readonly paymentType: PaymentType
  /** Brand, `boleto`, `pix` or wallet. */
  readonly subType: string | undefined
  /** What the shop sent: without interest. */
  readonly amountMinor: MinorUnits
  /** What the payer pays: with interest. */
  readonly chargedMinor: MinorUnits
  readonly installments: number
  readonly payerEmail: string
  /** CPF or CNPJ, without punctuation. */
  readonly payerDocument: string
  /** The cart in a line. */
  readonly description: string
  readonly notificationUrl: string
  /** The card this transaction saved. */
  readonly savedCard: SavedCardSummary | undefined
  readonly cardBin: string | undefined
  readonly cardLastFour: string | undefined
  /** Names the transaction in addresses that a payer opens; not guessable. */
  readonly publicId: string
  /** What the payer needs to pay; undefined for cards. */
  readonly paymentDetails: PaymentDetails | undefined
  /** JSON of the request, without token or card. */
  readonly requestJson: string
  readonly createdAtMs: number
  readonly paidAtMs: number | undefined
  /** When an unpaid boleto, PIX or wallet lapses. */
  readonly expiresAtMs: number | undefined
  /** When a worker asks after it, if it is still open then; by the machine's clock. */
  readonly nextAskAtMs: number | undefined
  /**
   * When a worker activates the card that it may have saved, by the machine's clock; undefined when
   * no card waits.
   */
  readonly activateAtMs: number | undefined
  readonly statusChangedAtMs: number
}

/** What a card authorization makes of a transaction (specification, decision 2 of section 10). */
export function statusOfOutcome(outcome: AuthorizationOutcome): TransactionStatus {
  switch (outcome) {
    case 'approved':
      return 'COMPLETE'
    case 'declined':
      return 'CANCELLED'
    case 'pending':
      return 'PENDING'
    case 'review':
    case 'unknown':
      return 'UNDER-REVIEW'
  }
}

/** Statuses in which money has arrived. */
export const PAID_STATUSES: readonly TransactionStatus[] = ['COMPLETE', 'REFUNDED', 'CHARGEBACK']

export function hasBeenPaid({ status }: Transaction): boolean {
  return PAID_STATUSES.includes(status)
}
