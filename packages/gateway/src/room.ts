// The core's interface for rooms and the console. It has the core's rows and row maps to read, and
// its calendar and codes. It has the functions by which stores are paid, and the API's ways to read
// and answer. A room joins its own rows with payments in one statement, whose plan the tests check.
// It writes no row of the core, except the results of sending the outbox's notifications.
export type { AddRoomRoutes, RoomServing } from './api/room-routes.js'
export {
  errorHandler,
  errorResponse,
  jsonAmount,
  jsonResponse,
  jsonSignedAmount,
} from './api/request/json-response.js'
export {
  type GatewayEnv,
  acceptFailure,
  contentTypeFailure,
  limitedBody,
  readBody,
  readJson,
  requestTarget,
} from './api/request/signed-request.js'
export { fixedPath } from './api/request/fixed-path.js'
export { storableResponse, responseOnce } from './api/request/storable-response.js'
export { paymentSummary, refundSummary } from './api/payment/payment-summary.js'
export { declineBody, declineBodyOf } from './api/transaction/decline-body.js'
export { createShownPayments } from './create-shown-payments.js'
export {
  type InLane,
  accountOf as chargeAccountOf,
} from './ledger/transaction/charge-account-sql.js'
export { lockToChange } from './ledger/archive/archive-move-sql.js'
export { archived, findAnywhere, listAnywhere, listEverywhere } from './ledger/database/archive.js'
export { storedCardChange } from './ledger/database/card-tables.js'
export { storedPayment } from './ledger/database/bank-tables.js'
export {
  type GatewayTables,
  type AcknowledgingStoreRow,
  type NotificationAttemptRow,
  type NotificationRow,
  type TransactionRow,
  storedAttempt,
  storedNotification,
  storedRefund,
  storedTransaction,
} from './ledger/database/gateway-tables.js'
export {
  type Conversion,
  type RowOf,
  type StoredFields,
  conversion,
} from './ledger/database/stored-fields.js'
export { blockAllButFirsts, isUnfinished } from './ledger/database/outbox.js'
export {
  isAuthorizedRow,
  isShown,
  lockTransaction,
  mayBeWithdrawn as isUndecidedRow,
  openToGo,
} from './ledger/database/transition.js'
export { notifyAgain } from './ledger/transaction/repeated-notification-sql.js'
export type { ErasesPayer } from './ledger/transaction/erases-payer.js'
export type { FollowsPayments } from './ledger/transaction/follows-payments.js'
export type { PaymentNews, PaymentSubscriber } from './ledger/transaction/payment-subscriber.js'
export {
  type SecretKey,
  type SecretWrapping,
  StoreSecretError,
  createSecretWrapping,
} from './ledger/merchant/secret-wrapping.js'
export { useNonce } from './ledger/merchant/request-nonce-sql.js'
export type { IntentPart } from './method/intent-part.js'
export type { PayerFields } from './method/payment-method.js'
export type { Milestone, Milestones } from './model/back-office/milestone.js'
export type {
  PagePart,
  PageParts,
  PaidOutLine,
  PaymentPart,
} from './model/back-office/payment-part.js'
export { type ListPart, LIST_PARAMETERS, readListPart } from './model/back-office/list-query.js'
export type { Page } from './model/transaction/numbered-page.js'
export {
  boletoEndMs,
  dayInBrasilia,
  dayNumberInBrasilia,
  formatTimestamp,
  nextBusinessDay,
  timeOfDayInBrasilia,
  timestampOrNull,
} from './model/calendar/brazilian-calendar.js'
export type { ListedBeside, PaymentListing } from './model/back-office/payment-listing.js'
export {
  type AppliedCardChange,
  type CardDispute,
  DISPUTE_KINDS,
} from './model/card/card-change.js'
export { chargedShare } from './model/card/charged-share.js'
export type { InstallmentTerms } from './model/card/installment-plan.js'
export {
  type InterestChange,
  type InterestRefusal,
  type WantedInterest,
  withInterest,
} from './model/card/store-interest.js'
export {
  type Merchant,
  type MerchantSettings,
  type SettingDecision,
  type SettingValue,
  type StoreActor,
  type StoreChange,
  PREVIOUS_SECRET_LIVES_MS,
  type Rotation,
  mayCheckCards,
  liveSecrets,
  notificationSecrets,
} from './model/merchant/merchant.js'
export {
  type KeyRefusal,
  type PreviousSecret,
  type ShownKey,
  type ShownKeys,
  livePreviousSecret,
} from './model/merchant/store-key.js'
export { KIND_LENGTH, type Lane, hostOfLane, laneOf } from './model/notification/lane.js'
export {
  DELIVERY_LEASE_MS,
  FAILING_AFTER_MS,
  WAITING_MAX,
} from './model/notification/failing-receiver.js'
export { type WebhookMessage, signedHeaders } from './model/notification/webhook-signature.js'
export {
  type DeliveryAttempt,
  type Notification,
  type NotificationDetails,
  messageOf,
} from './model/notification/notification.js'
export { type PayerGuard, createPayerGuard } from './payment/payer-guard-service.js'
export type { RequestNonce } from './model/merchant/request-nonce.js'
export type { BankChargeDetails, BankPayment } from './model/payment-rail/kept-charge.js'
export type { PurchaseLimits } from './model/purchase/purchase-rules.js'
export { countedAddress, declineLimitsOf } from './model/purchase/decline-limits.js'
export {
  type Refund,
  type RefundFacts,
  type RefundId,
  type RefundNote,
  type RefundObjection,
  type RefundObstacle,
  type RefundOutcome,
  type RefundReason,
  type Refundable,
  REFUND_REASONS,
  refundObjection,
  refundableOf,
  returnedMinor,
} from './model/refund/refund.js'
export { comparedPayer } from './model/transaction/compared-payer.js'
export { metadataOf, payerNameOf } from './model/transaction/stored-request.js'
export {
  type BoletoDetails,
  type PixDetails,
  type WalletDetails,
  accountOf,
  boletoOf,
  cardOf,
} from './model/transaction/payment-details.js'
export {
  type Capture,
  isAuthorizationExpired,
  isAuthorized,
  captureBeforeMsOf,
  capturedSums,
  paymentStatusOf,
} from './model/transaction/capture.js'
export {
  type Parameters,
  failInto,
  readPaging,
  readReference,
  readStatus,
} from './model/transaction/search-query.js'
export {
  OPEN_INTENT_CHECK_AFTER_MS,
  PAID_STATUSES,
  type Transaction,
  type TransactionCode,
  awaitsAuthentication,
  drawTransactionCode,
  codeAfter,
  firstCodeAt,
  hasBeenPaid,
  isBeingIssued,
  isPayerErased,
  mayBeWithdrawn,
  timeOfCode,
  transactionCodeSchema,
} from './model/transaction/transaction.js'
export {
  chargedInstallments,
  isDearer,
  priceChanged,
  quantityMaxOf,
  shownInstallments,
} from './payment/installment-service.js'
export type { RequestRules } from './payment/ports.js'
export type { RoomPayments } from './payment/room-payments-service.js'
export { readTransactionRequest, tooManyInstallments } from './payment/transaction-service.js'
export { accepted, refusedFields } from './payment/unknown-field-service.js'
export type { EndResult } from './payment/capture/authorized-end-service.js'
export type { Cancellation } from './payment/cancellation-service.js'
export type {
  ChangedPayments,
  Desk,
  DeskStores,
  EndedPayments,
  PaymentCopies,
  ShownPayments,
} from './payment/desk-service.js'
export type { MerchantStore, RandomBelow } from './payment/ports.js'
export { IDEMPOTENCY_LIFETIME_MS } from './model/idempotency/idempotency.js'
export type { FirstResponse, KeyedRequest } from './payment/idempotency-service.js'
export {
  type ReceivedRequest,
  nonceOf,
  readMessage,
  requireFresh,
} from './payment/message-signature-service.js'
export { unreadParameters } from './payment/query-parameter-service.js'
export { badFormat } from './payment/signature-diagnosis.js'
export type { ApiDescription, Operation } from './api/openapi/openapi-document.js'
