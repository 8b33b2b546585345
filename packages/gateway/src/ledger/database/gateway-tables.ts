import type { RefundStatus, RequestRules, TransactionStatus } from '@cofre/contracts'
import type { AccountKind, AccountMethod } from '../../model/account/account.js'
import type { RefundRight, StoreActor, StoreChange } from '../../model/merchant/merchant.js'

/** A store that may use the gateway. */
export interface MerchantRow {
  id: string
  name: string
  /** Wrapped: see SecretWrapping. */
  secret: string
  /** The one before it, after a rotation. */
  previous_secret: string | null
  /** Until when that one signs, by the machine's clock. */
  previous_until: number | null
  /** 0 or 1. */
  enabled: number
  /** 0 or 1: may send card numbers in requests. */
  raw_cards: number
  /** What the merchant may refund. */
  refunds: RefundRight
  /** What its payment requests are judged by. */
  rules: RequestRules
  /** 0 or 1: whether references that hold a card number are refused. */
  refuses_card_references: number
  created_at: number
}

/** A change of a store. Rows are added, and never changed or deleted. */
export interface StoreChangeRow {
  merchant_id: string
  /** From 1, in the order of the store's changes. */
  position: number
  at: number
  actor: StoreActor
  action: StoreChange['action']
  /** JSON of what it was and what it is, by setting; never a secret. */
  settings: string
}

/** Spelt out for prepared queries. */
export const MERCHANT_COLUMNS = [
  'id',
  'name',
  'secret',
  'previous_secret',
  'previous_until',
  'enabled',
  'raw_cards',
  'refunds',
  'rules',
  'refuses_card_references',
  'created_at',
] as const satisfies readonly (keyof MerchantRow)[]

/** What identifies a transaction, for ever: it stays when the transaction is archived. */
export interface TransactionKeyRow {
  transaction_code: number
  merchant_id: string
  reference: string
  public_id: string
}

/** Which transaction a refund belongs to, for ever. */
export interface RefundKeyRow {
  id: number
  transaction_code: number
}

/** A transaction. Amounts in centavos, times in epoch milliseconds. */
export interface TransactionRow {
  code: number
  merchant_id: string
  reference: string
  status: TransactionStatus
  /** What the payment method made of it; null until it has answered. */
  first_status: TransactionStatus | null
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
  /** When an unpaid boleto, PIX or wallet lapses; null where nothing does. */
  expires_at: number | null
  /** When the worker asks after an open intent, by the machine's clock. */
  next_ask_at: number | null
  /**
   * When the worker activates the card that it may have saved, by the machine's clock; null when no
   * card waits.
   */
  activate_at: number | null
  status_changed_at: number
}

/** Spelt out for prepared queries. */
export const TRANSACTION_COLUMNS = [
  'code',
  'merchant_id',
  'reference',
  'status',
  'first_status',
  'open',
  'payment_type',
  'sub_type',
  'amount',
  'charged',
  'installments',
  'payer_email',
  'payer_document',
  'description',
  'notification_url',
  'saved_card',
  'card_bin',
  'card_last_four',
  'public_id',
  'payment_details',
  'request',
  'created_at',
  'paid_at',
  'expires_at',
  'next_ask_at',
  'activate_at',
  'status_changed_at',
] as const satisfies readonly (keyof TransactionRow)[]

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
  /** When the worker asks for it, by the machine's clock. */
  next_ask_at: number
  asks: number
  processed_at: number | null
}

/** Spelt out for prepared queries. */
export const REFUND_COLUMNS = [
  'id',
  'transaction_code',
  'merchant_id',
  'status',
  'amount',
  'reference',
  'notify_url',
  'requested_at',
  'next_ask_at',
  'asks',
  'processed_at',
] as const satisfies readonly (keyof RefundRow)[]

/** A payer that may not buy. */
export interface BlockedPayerRow {
  /** CPF, CNPJ or e-mail in lower case. */
  payer: string
  /** 1 when the payment provider blocked the payer, 0 when the operator did. */
  by_provider: number
}

/**
 * What a payer has bought on a day, where purchases are limited over a period. Kept a little longer
 * than the period.
 */
export interface PayerPurchaseRow {
  payer_document: string
  /** Since 1970, in UTC. */
  day: number
  /** In centavos: transactions created on the day that were not cancelled and did not lapse. */
  bought: number
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

/** The outbox: one row for each change that a store is to hear of. */
export interface NotificationRow {
  transaction_code: number
  /** From 1, in the order of the transaction's changes. */
  position: number
  merchant_id: string
  refund_id: number | null
  status: TransactionStatus
  url: string
  created_at: number
  attempts: number
  next_attempt_at: number
  /** Until when a worker holds it, by the machine's clock. */
  lease_until: number | null
  acknowledged_at: number | null
  /** When the store searched a COMPLETE transaction. */
  searched_at: number | null
  /** When it came to rest: it is not sent again. */
  done_at: number | null
  /**
   * 1 while an earlier one of the transaction and of its kind, statuses or refunds, is unfinished.
   */
  blocked: number
}

/** A store that acknowledged the last notification it was sent. */
export interface AcknowledgingStoreRow {
  merchant_id: string
}

/**
 * A store that did not acknowledge the last notification it was sent. Times by the environment's
 * clock.
 */
export interface FailingStoreRow {
  merchant_id: string
  /** When the first of those was sent. */
  since: number
  /** When it is sent the next notification; null until it has failed for long. */
  probe_at: number | null
  probes: number
}

/** One sending of a notification. */
export interface NotificationAttemptRow {
  transaction_code: number
  position: number
  attempt: number
  at: number
  status_code: number | null
  error: string | null
  duration_ms: number
  response_excerpt: string
}

/** A contract of a store with a provider. */
export interface AccountRow {
  id: string
  merchant_id: string
  provider: string
  kind: AccountKind
  label: string
  /** JSON of what is no secret. */
  settings: string
  /** JSON of AccountSecrets, wrapped: see SecretWrapping. */
  sealed: string
  /** End of the client certificate. */
  certificate_until: number | null
  tested_at: number | null
  test_failure: string | null
  disabled_at: number | null
  created_at: number
}

/** A place in the order in which a store's accounts are asked. */
export interface AccountRouteRow {
  merchant_id: string
  method: AccountMethod
  /** From 1. */
  position: number
  account_id: string
}

export interface GatewayTables {
  accounts: AccountRow
  account_routes: AccountRouteRow
  merchants: MerchantRow
  store_changes: StoreChangeRow
  transaction_keys: TransactionKeyRow
  refund_keys: RefundKeyRow
  refunds: RefundRow
  blocked_payers: BlockedPayerRow
  payer_purchases: PayerPurchaseRow
  idempotency_keys: IdempotencyKeyRow
  notifications: NotificationRow
  notification_attempts: NotificationAttemptRow
  acknowledging_stores: AcknowledgingStoreRow
  failing_stores: FailingStoreRow
  transactions: TransactionRow
}
