// What rooms have of the core: its rows and row maps to read, its calendar and codes, and what
// records what a bank has said. A room joins its own rows with payments in one statement, whose
// plan the tests hold; it writes no row of the core itself.
export {
  type ChargeRecordOptions,
  type ChargeRecords,
  createChargeRecords,
} from './create-charge-records.js'
export { createShownPayments } from './create-shown-payments.js'
export { archived, findAnywhere, listAnywhere, listEverywhere } from './ledger/database/archive.js'
export { storedPayment } from './ledger/database/bank-tables.js'
export {
  type GatewayTables,
  type NotificationRow,
  storedAttempt,
  storedCardChange,
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
export { isShown, mayBeWithdrawn as isUndecidedRow } from './ledger/database/transition.js'
export { probedLanes } from './ledger/notification/failing-lane-sql.js'
export type { ErasesPayer } from './ledger/transaction/erases-payer.js'
export type { ArrivedMoney, ListedPix, RecordedFile } from './model/arrived-money/arrived-money.js'
export type { PageParts } from './model/back-office/payment-part.js'
export {
  boletoEndMs,
  dayInBrasilia,
  dayNumberInBrasilia,
  nextBusinessDay,
  timeOfDayInBrasilia,
} from './model/calendar/brazilian-calendar.js'
export {
  type AppliedCardChange,
  type CardDispute,
  DISPUTE_KINDS,
} from './model/card/card-change.js'
export type { InstallmentTerms } from './model/card/installment-plan.js'
export {
  type InterestRefusal,
  type WantedInterest,
  withInterest,
} from './model/card/store-interest.js'
export {
  type Merchant,
  type MerchantSettings,
  type SettingDecision,
  type StoreChange,
  PREVIOUS_SECRET_LIVES_MS,
  liveSecrets,
} from './model/merchant/merchant.js'
export type {
  DeliveryAttempt,
  Notification,
  OutgoingNotification,
} from './model/notification/notification.js'
export type { BankPayment } from './model/payment-rail/bank-charge.js'
export { DECLINE_LIMIT_MAX, declineLimitsOf } from './model/purchase/decline-limits.js'
export {
  type Refund,
  type RefundFacts,
  type RefundId,
  type RefundNote,
  type RefundObjection,
  type RefundObstacle,
  type RefundOutcome,
  type Refundable,
  refundObjection,
  refundableOf,
} from './model/refund/refund.js'
export { accountOf, payerNameOf } from './model/search/payment-terms.js'
export { comparedPayer } from './model/transaction/compared-payer.js'
export { boletoOf, cardOf } from './model/transaction/payment-details.js'
export {
  type Transaction,
  type TransactionCode,
  drawTransactionCode,
  firstCodeAt,
  hasBeenPaid,
  isPayerErased,
  mayBeWithdrawn,
  transactionCodeSchema,
} from './model/transaction/transaction.js'
export type { Cancellation } from './payment/cancellation-service.js'
export type {
  ChangedPayments,
  Desk,
  DeskStores,
  EndedPayments,
  GivenAgain,
  ShownPayments,
} from './payment/desk-service.js'
