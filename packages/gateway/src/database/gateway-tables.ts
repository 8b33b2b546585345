import type { TransactionStatus } from '@cofre/contracts'

/** A store that may use the gateway. */
export interface MerchantRow {
  id: string
  name: string
  secret: string
  /** 0 or 1. */
  enabled: number
  /** 0 or 1: may send card numbers in requests. */
  raw_cards: number
  created_at: number
}

/** A transaction. Amounts in centavos, times in epoch milliseconds. */
export interface TransactionRow {
  code: number
  merchant_id: string
  reference: string
  status: TransactionStatus
  /** 1 until the payment method has answered with a known outcome. */
  open: number
  payment_type: string
  sub_type: string | null
  amount: number
  charged: number
  installments: number
  payer_email: string
  payer_document: string
  description: string
  notification_url: string
  /** JSON of the saved card this transaction made, as shown to the shop. */
  saved_card: string | null
  card_bin: string | null
  card_last_four: string | null
  /** JSON of the request, without token or card. */
  request: string
  created_at: number
  paid_at: number | null
  status_changed_at: number
}

export interface GatewayTables {
  merchants: MerchantRow
  transactions: TransactionRow
}
