import type { RefundStatus, TransactionStatus } from '@cofre/contracts'
import type { RefundRight } from '../merchant/merchant.js'

/** A store that may use the gateway. */
export interface MerchantRow {
  id: string
  name: string
  secret: string
  /** 0 or 1. */
  enabled: number
  /** 0 or 1: may send card numbers in requests. */
  raw_cards: number
  /** What the merchant may refund. */
  refunds: RefundRight
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
  /** Names the transaction in addresses that a payer opens. */
  public_id: string
  /** JSON of what the payer needs to pay: barcode, PIX code, wallet page. */
  payment_details: string | null
  /** JSON of the request, without token or card. */
  request: string
  created_at: number
  paid_at: number | null
  status_changed_at: number
}

/** A refund. At most one of a transaction is PROCESSING, by a unique index. */
export interface RefundRow {
  id: number
  transaction_code: number
  merchant_id: string
  status: RefundStatus
  amount: number
  reference: string | null
  notify_url: string
  requested_at: number
  processed_at: number | null
}

/** A payer that may not buy. */
export interface BlockedPayerRow {
  /** CPF, CNPJ or e-mail in lower case. */
  payer: string
  /** 1 when the payment provider blocked the payer, 0 when the operator did. */
  by_provider: number
}

/** The use of an Idempotency-Key. */
export interface IdempotencyKeyRow {
  merchant_id: string
  key: string
  /** Digest of the request that used it. */
  fingerprint: string
  /** JSON of the answer; null while there is none. */
  answer: string | null
  claimed_at: number
  created_at: number
}

export interface GatewayTables {
  merchants: MerchantRow
  refunds: RefundRow
  blocked_payers: BlockedPayerRow
  idempotency_keys: IdempotencyKeyRow
  transactions: TransactionRow
}
