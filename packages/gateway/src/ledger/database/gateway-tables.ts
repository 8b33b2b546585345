import type { AccountTables } from '@cofre/provider-kit/account'
import type { PeopleTables } from '@cofre/people'
import type { AppliedCardChange } from '../../model/card/card-change.js'
import type { MerchantSettings, StoreChange } from '../../model/merchant/merchant.js'
import type { DeliveryAttempt, Notification } from '../../model/notification/notification.js'
import type { Refund } from '../../model/refund/refund.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import type { ConsoleTables } from './console-tables.js'
import type { LinkTables } from './link-tables.js'
import type { BankTables } from './bank-tables.js'
import type { SearchTables } from './search-tables.js'
import { type RowOf, type StoredFields, conversion } from './stored-fields.js'

const MERCHANT_SETTINGS = {
  name: ['name', 'plain'],
  enabled: ['enabled', 'flag'],
  mayUseRawCards: ['raw_cards', 'flag'],
  refunds: ['refunds', 'plain'],
  rules: ['rules', 'plain'],
  refusesCardReferences: ['refuses_card_references', 'flag'],
  surplus: ['surplus', 'optional'],
  language: ['language', 'optional'],
  notificationUrl: ['notification_url', 'optional'],
  savedCards: ['saved_cards', 'optional'],
  unknownFields: ['unknown_fields', 'optional'],
  signature: ['signature', 'optional'],
  payerDeclines: ['payer_declines', 'optional'],
  addressDeclines: ['address_declines', 'optional'],
  binDeclines: ['bin_declines', 'optional'],
  fieldOrigins: ['field_origins', 'json'],
  showsBin: ['shows_bin', 'flag'],
  interest: ['interest', 'json'],
  installmentsMax: ['installments_max', 'optional'],
} as const satisfies StoredFields<MerchantSettings>

export const storedSettings = conversion<MerchantSettings, typeof MERCHANT_SETTINGS>(
  MERCHANT_SETTINGS,
)

/** A store that may use the gateway. */
export interface MerchantRow extends RowOf<MerchantSettings, typeof MERCHANT_SETTINGS> {
  id: string
  /** Wrapped: see SecretWrapping. */
  secret: string
  /** The one before it, after a rotation. */
  previous_secret: string | null
  /** Until when that one signs, by the machine's clock. */
  previous_until: number | null
  /** When it last signed as the specification has it, to the day; by the machine's clock. */
  specification_signed_at: number | null
  created_at: number
}

const STORE_CHANGE = {
  storeId: ['merchant_id', 'plain'],
  position: ['position', 'plain'],
  atMs: ['at', 'plain'],
  actor: ['actor', 'plain'],
  action: ['action', 'plain'],
  settings: ['settings', 'json'],
} as const satisfies StoredFields<StoreChange>

export const storedChange = conversion<StoreChange, typeof STORE_CHANGE>(STORE_CHANGE)

/** A change of a store. Rows are added, and never changed or deleted. */
export type StoreChangeRow = RowOf<StoreChange, typeof STORE_CHANGE>

/** The vault is to know, or knows, the settings of a store's card fields. */
export interface FieldAnnouncementRow {
  merchant_id: string
  /** Grows with each change, by the machine's clock. */
  revision: number
  /** Since when the vault has not acknowledged them; null once it has. */
  waiting_since: number | null
  /** When it is told them the next time. */
  next_told_at: number
}

/** A nonce of a signed request. Kept until its signature is too old. */
export interface RequestNonceRow {
  merchant_id: string
  nonce: string
  /** Names the request that used it. */
  request_id: string
  /** By the machine's clock. */
  until: number
}

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

const TRANSACTION = {
  code: ['code', 'plain'],
  merchantId: ['merchant_id', 'plain'],
  reference: ['reference', 'plain'],
  status: ['status', 'plain'],
  firstStatus: ['first_status', 'optional'],
  open: ['open', 'flag'],
  paymentType: ['payment_type', 'plain'],
  subType: ['sub_type', 'optional'],
  amountMinor: ['amount', 'amount'],
  chargedMinor: ['charged', 'amount'],
  installments: ['installments', 'plain'],
  payerEmail: ['payer_email', 'plain'],
  payerDocument: ['payer_document', 'plain'],
  description: ['description', 'plain'],
  notificationUrl: ['notification_url', 'plain'],
  savedCard: ['saved_card', 'json'],
  cardBin: ['card_bin', 'optional'],
  cardLastFour: ['card_last_four', 'optional'],
  publicId: ['public_id', 'plain'],
  paymentDetails: ['payment_details', 'json'],
  requestJson: ['request', 'plain'],
  orderFingerprint: ['order_fingerprint', 'optional'],
  createdAtMs: ['created_at', 'plain'],
  paidAtMs: ['paid_at', 'optional'],
  expiresAtMs: ['expires_at', 'optional'],
  nextAskAtMs: ['next_ask_at', 'optional'],
  activateAtMs: ['activate_at', 'optional'],
  statusChangedAtMs: ['status_changed_at', 'plain'],
  stands: ['stands', 'optional'],
  example: ['example', 'optional'],
} as const satisfies StoredFields<Transaction>

export const storedTransaction = conversion<Transaction, typeof TRANSACTION>(TRANSACTION)

const OUTCOME = {
  status: TRANSACTION.status,
  firstStatus: TRANSACTION.firstStatus,
  subType: TRANSACTION.subType,
  paidAtMs: TRANSACTION.paidAtMs,
  statusChangedAtMs: TRANSACTION.statusChangedAtMs,
} as const

/** What becomes of an intent that is settled depends, of these, on what is stored. */
export const storedOutcome = conversion<Pick<Transaction, keyof typeof OUTCOME>, typeof OUTCOME>(
  OUTCOME,
)

export type TransactionRow = RowOf<Transaction, typeof TRANSACTION>

const REFUND = {
  id: ['id', 'plain'],
  transactionCode: ['transaction_code', 'plain'],
  merchantId: ['merchant_id', 'plain'],
  status: ['status', 'plain'],
  amountMinor: ['amount', 'amount'],
  chargedMinor: ['charged', 'optional'],
  reference: ['reference', 'optional'],
  notifyUrl: ['notify_url', 'plain'],
  requestedAtMs: ['requested_at', 'plain'],
  processedAtMs: ['processed_at', 'optional'],
  notBeforeMs: ['not_before', 'optional'],
  providerRefundId: ['provider_refund_id', 'optional'],
  nature: ['nature', 'optional'],
  identity: ['identity', 'optional'],
} as const satisfies StoredFields<Refund>

export const storedRefund = conversion<Refund, typeof REFUND>(REFUND)

/** A refund. At most one that the store asked for is PROCESSING, by a unique index. */
export interface RefundRow extends RowOf<Refund, typeof REFUND> {
  /** When the worker asks for it, by the machine's clock. */
  next_ask_at: number
  /** In a row that were not answered. */
  asks: number
  /** How often its bank has answered that it is in process. */
  in_process: number
}

const CARD_CHANGE = {
  id: ['id', 'plain'],
  transactionCode: ['transaction_code', 'plain'],
  kind: ['kind', 'plain'],
  atMs: ['at', 'plain'],
  amountMinor: ['amount', 'optional'],
  detail: ['detail', 'optional'],
} as const satisfies StoredFields<AppliedCardChange>

export const storedCardChange = conversion<AppliedCardChange, typeof CARD_CHANGE>(CARD_CHANGE)

/** What an acquirer has reported of a charge: each change is applied once. */
export type CardChangeRow = RowOf<AppliedCardChange, typeof CARD_CHANGE>

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

/** A card that was declined lately. Kept a little longer than it counts. */
export interface CardDeclineRow {
  transaction_code: number
  merchant_id: string
  /** By the environment's clock. */
  declined_at: number
  payer_document: string
  /** An IPv4 address or the network of an IPv6 address; null where the shop sent none. */
  address: string | null
  /** First six digits of the card; null where the vault did not tell. */
  bin: string | null
  /** The payment link that it was to pay; null where it was none. */
  link_id: string | null
}

/** A key that digests are made with. */
export interface DigestKeyRow {
  purpose: string
  /** Wrapped: see SecretWrapping. */
  wrapped: string
}

/** The use of an Idempotency-Key. */
export interface IdempotencyKeyRow {
  merchant_id: string
  key: string
  /** Digest of the request that used it, of its target and bytes. */
  fingerprint: string
  /** Of an order, by what it asks for; null where release 0.2 wrote it. */
  order_fingerprint: string | null
  /** JSON of the response; null while there is none. */
  answer: string | null
  claimed_at: number
  created_at: number
}

const NOTIFICATION = {
  transactionCode: ['transaction_code', 'plain'],
  position: ['position', 'plain'],
  merchantId: ['merchant_id', 'plain'],
  refundId: ['refund_id', 'optional'],
  refundNature: ['refund_nature', 'optional'],
  status: ['status', 'plain'],
  url: ['url', 'plain'],
  createdAtMs: ['created_at', 'plain'],
  attempts: ['attempts', 'plain'],
} as const satisfies StoredFields<Notification>

export const storedNotification = conversion<Notification, typeof NOTIFICATION>(NOTIFICATION)

/** The outbox: one row for each change that a store is to hear of. */
export interface NotificationRow extends RowOf<Notification, typeof NOTIFICATION> {
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
  /** See `lane.ts`; null where release 0.2 wrote it. */
  lane: string | null
}

/** A store that acknowledged the last notification it was sent. */
export interface AcknowledgingStoreRow {
  merchant_id: string
}

/** The same in a lane. Times by the environment's clock. */
export interface FailingLaneRow extends Omit<FailingStoreRow, 'merchant_id'> {
  lane: string
  merchant_id: string
}

/**
 * A store that did not acknowledge the last notification it was sent, as release 0.2 notes it.
 * Times by the environment's clock.
 */
export interface FailingStoreRow {
  merchant_id: string
  /** When the first of those was sent. */
  since: number
  /** When it is sent the next notification; null until it has failed for long. */
  probe_at: number | null
  probes: number
}

const ATTEMPT = {
  atMs: ['at', 'plain'],
  statusCode: ['status_code', 'optional'],
  error: ['error', 'optional'],
  durationMs: ['duration_ms', 'plain'],
  responseExcerpt: ['response_excerpt', 'plain'],
} as const satisfies StoredFields<DeliveryAttempt>

export const storedAttempt = conversion<DeliveryAttempt, typeof ATTEMPT>(ATTEMPT)

/** One sending of a notification. */
export interface NotificationAttemptRow extends RowOf<DeliveryAttempt, typeof ATTEMPT> {
  transaction_code: number
  position: number
  /** From 1. */
  attempt: number
}

/** The example payments of a store of the sandbox: see the model. */
export interface ExampleSetRow {
  merchant_id: string
  /** All of them are dated before it, by the environment's clock. */
  until_ms: number
  /** How many are made, in the order of their plan. */
  position: number
  state: 'making' | 'made' | 'removed'
}

export interface GatewayTables
  extends AccountTables, ConsoleTables, LinkTables, PeopleTables, BankTables, SearchTables {
  card_changes: CardChangeRow
  merchants: MerchantRow
  store_changes: StoreChangeRow
  field_announcements: FieldAnnouncementRow
  transaction_keys: TransactionKeyRow
  refund_keys: RefundKeyRow
  refunds: RefundRow
  blocked_payers: BlockedPayerRow
  payer_purchases: PayerPurchaseRow
  card_declines: CardDeclineRow
  digest_keys: DigestKeyRow
  idempotency_keys: IdempotencyKeyRow
  request_nonces: RequestNonceRow
  notifications: NotificationRow
  notification_attempts: NotificationAttemptRow
  acknowledging_stores: AcknowledgingStoreRow
  failing_lanes: FailingLaneRow
  failing_stores: FailingStoreRow
  example_sets: ExampleSetRow
  transactions: TransactionRow
  /** See `archive.ts`. */
  archived_transactions: TransactionRow
}
