import type { AccountTables } from '@cofre/provider-kit/account'
import type { PeopleTables } from '@cofre/people'
import type { PendingCapture } from '../../model/card/capture-order.js'
import type { AppliedCardChange } from '../../model/card/card-change.js'
import type { MerchantSettings, StoreChange } from '../../model/merchant/merchant.js'
import type { DeliveryAttempt, Notification } from '../../model/notification/notification.js'
import type { Refund } from '../../model/refund/refund.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import type { ConsoleTables } from './console-tables.js'
import type { EventTables } from './event-tables.js'
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
  cardChecks: ['card_checks', 'optional'],
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
  /** Its last signature in the specification's form, to the day, by the machine's clock. */
  specification_signed_at: number | null
  created_at: number
}

/** A key of a store, or the secret of its notifications. Times are by the machine's clock. */
export interface StoreKeyRow {
  merchant_id: string
  /** See `store-key-sql.ts`. */
  id: string
  name: string
  /** A list, as JSON; empty if it signs no requests. */
  scopes: string
  /** Wrapped: see SecretWrapping. */
  secret: string
  /** The previous secret, after a rotation. */
  previous_secret: string | null
  /** Until when the previous secret signs. */
  previous_until: number | null
  created_at: number
  /** To the minute. */
  used_at: number | null
  ends_at: number | null
}

/** An operator's key. Times are by the machine's clock. */
export interface OperatorKeyRow {
  id: string
  name: string
  /** SPKI, as DER in Base64. */
  public_key: string
  /** A list, as JSON. */
  scopes: string
  /** Networks that it may be used from, as JSON; empty if from any. */
  addresses: string
  created_at: number
  /** To the minute. */
  used_at: number | null
  ends_at: number | null
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

/** A change of a store. Rows are only added. */
export type StoreChangeRow = RowOf<StoreChange, typeof STORE_CHANGE>

/** Settings of a store's card fields that the vault has or must receive. */
export interface FieldAnnouncementRow {
  merchant_id: string
  /** Grows with each change, by the machine's clock. */
  revision: number
  /** Since when the vault has not acknowledged them; null once it has. */
  waiting_since: number | null
  /** When they are next sent to the vault. */
  next_told_at: number
}

/** A nonce of a signed request, kept until its signature is too old. */
export interface RequestNonceRow {
  merchant_id: string
  nonce: string
  /** The request that used it. */
  request_id: string
  /** By the machine's clock. */
  until: number
}

/** A transaction's permanent identifiers: they stay when the transaction is archived. */
export interface TransactionKeyRow {
  transaction_code: number
  merchant_id: string
  reference: string
  public_id: string
}

/** The transaction of a refund, permanently. */
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
  capture: ['capture', 'json'],
  permanent: ['stands', 'optional'],
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

/** The fields of a settled intent that depend on its stored row. */
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
  metadata: ['metadata', 'json'],
} as const satisfies StoredFields<Refund>

export const storedRefund = conversion<Refund, typeof REFUND>(REFUND)

/** A refund. By a unique index, at most one that the store requested is PROCESSING. */
export interface RefundRow extends RowOf<Refund, typeof REFUND> {
  /** When the worker requests it, by the machine's clock. */
  next_ask_at: number
  /** Consecutive requests without an answer. */
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

/** A change of a charge, as reported by an acquirer: each change is applied once. */
export type CardChangeRow = RowOf<AppliedCardChange, typeof CARD_CHANGE>

const CAPTURE = {
  code: ['transaction_code', 'plain'],
  merchantId: ['merchant_id', 'plain'],
  operation: ['operation', 'optional'],
  amountMinor: ['amount', 'optional'],
  chargedMinor: ['charged', 'optional'],
  orderedBy: ['ordered_by', 'optional'],
  orderedAtMs: ['ordered_at', 'optional'],
} as const satisfies StoredFields<PendingCapture>

export const storedCapture = conversion<PendingCapture, typeof CAPTURE>(CAPTURE)

/** An authorized payment, until it is captured or released. */
export interface CaptureRow extends RowOf<PendingCapture, typeof CAPTURE> {
  /** When the store's rule acts, by the environment's clock. */
  due_at: number
  /** When the store is reminded, by the environment's clock; null once it was. */
  remind_at: number | null
  /** When the vault is next asked, by the machine's clock; null without an operation. */
  next_ask_at: number | null
  /** Consecutive requests without an end. */
  asks: number
}

export interface BlockedPayerRow {
  /** CPF, CNPJ or e-mail in lower case. */
  payer: string
  /** 1 when the payment provider blocked the payer, 0 when the operator did. */
  by_provider: number
}

/**
 * A payer's purchases on a day, if purchases are limited over a period. Kept a little longer than
 * the period.
 */
export interface PayerPurchaseRow {
  payer_document: string
  /** Days since 1970, in UTC. */
  day: number
  /** In centavos: transactions created on the day that were not cancelled and did not lapse. */
  bought: number
}

/** A card that was declined recently. Kept a little longer than it counts. */
export interface CardDeclineRow {
  transaction_code: number
  merchant_id: string
  /** By the environment's clock. */
  declined_at: number
  payer_document: string
  /** An IPv4 address or the network of an IPv6 address; null if the shop sent none. */
  address: string | null
  /** First six digits of the card; null if the vault did not report them. */
  bin: string | null
  /** The payment link that the card was to pay; null without a link. */
  link_id: string | null
}

export interface DigestKeyRow {
  purpose: string
  /** Wrapped: see SecretWrapping. */
  wrapped: string
}

/** The use of an Idempotency-Key. */
export interface IdempotencyKeyRow {
  merchant_id: string
  key: string
  /** Digest of the request that used it, from its target and bytes. */
  fingerprint: string
  /** Digest of an order's content; null if release 0.2 wrote it. */
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

/** The outbox: one row for each change of which a store is to be notified. */
export interface NotificationRow extends RowOf<Notification, typeof NOTIFICATION> {
  next_attempt_at: number
  /** The end of a worker's lease, by the machine's clock. */
  lease_until: number | null
  acknowledged_at: number | null
  /** When the store searched a COMPLETE transaction. */
  searched_at: number | null
  /** When it was finished: it is not sent again. */
  done_at: number | null
  /**
   * 1 while an earlier one of the transaction and of its kind, statuses or refunds, is unfinished.
   */
  blocked: number
  /** See `lane.ts`; null if release 0.2 wrote it. */
  lane: string | null
}

/** A store that acknowledged its last notification. */
export interface AcknowledgingStoreRow {
  merchant_id: string
}

/** A lane that did not acknowledge its last notification. Times are by the environment's clock. */
export interface FailingLaneRow extends Omit<FailingStoreRow, 'merchant_id'> {
  lane: string
  merchant_id: string
}

/**
 * A store that did not acknowledge its last notification, as release 0.2 records it. Times are by
 * the environment's clock.
 */
export interface FailingStoreRow {
  merchant_id: string
  /** When the first unacknowledged notification was sent. */
  since: number
  /** When its next notification is sent; null until it has failed for long. */
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
  /** The number of examples made, in the order of their plan. */
  position: number
  state: 'making' | 'made' | 'removed'
}

export interface GatewayTables
  extends
    AccountTables,
    BankTables,
    ConsoleTables,
    EventTables,
    LinkTables,
    PeopleTables,
    SearchTables {
  captures: CaptureRow
  card_changes: CardChangeRow
  merchants: MerchantRow
  store_keys: StoreKeyRow
  operator_keys: OperatorKeyRow
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
