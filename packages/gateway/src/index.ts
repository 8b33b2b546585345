export type { CardService } from '@cofre/contracts'
export type { CardDispute } from './model/card/card-change.js'
export { DECLINE_LIMIT_MAX } from './model/purchase/decline-limits.js'
export {
  type InterestChange,
  type InterestRefusal,
  type WantedInterest,
  overruledChanges,
} from './model/card/store-interest.js'
export {
  type Gateway,
  type GatewayCore,
  type GatewayOptions,
  createGateway,
  createGatewayCore,
} from './create-gateway.js'
export type { GatewayTables } from './ledger/database/gateway-tables.js'
export {
  inspectGatewayDatabase,
  openGatewayDatabase,
} from './ledger/database/open-gateway-database.js'
export { deleteExamples } from './ledger/transaction/transaction-deletion-sql.js'
export { paymentChanged } from './ledger/transaction/payment-changed.js'
export { createPayerData } from './create-payer-data.js'
export type { PayerOrder } from './ledger/transaction/payer-data-sql.js'
export { archiveTransactions } from './ledger/archive/archive-store-sql.js'
export { ARCHIVED_AFTER_DAYS, ARCHIVED_AFTER_MS } from './model/transaction/archive-age.js'
export { deleteOldAttempts } from './ledger/notification/attempt-deletion-sql.js'
export { PUBLIC_URL_LENGTH_MAX } from './model/payer-page/payer-paths.js'
export type { Notification, NotificationSender } from './model/notification/notification.js'
export type { RefundOutcome } from './model/refund/refund.js'
export type { Transaction } from './model/transaction/transaction.js'
export type { PaymentRails } from './model/payment-rail/payment-rails.js'
export type { PaymentPurpose } from './model/payment-rail/kept-charge.js'
export {
  type GatewayAccounts,
  createGatewayAccounts,
} from './ledger/account/gateway-accounts-sql.js'
export type { WaitingCard } from './payment/card-authentication-service.js'
export type { WaitingWallet } from './payment/payer-page-service.js'
export type { BankReports } from './payment/status-report-service.js'
export { createHttpSender } from './delivery/http-sender.js'
export { createSqlNotificationStore } from './ledger/notification/notification-store-sql.js'
export {
  type Merchant,
  type MerchantSettings,
  type RefundRight,
  type SettingValue,
  type StoreChange,
  PREVIOUS_SECRET_LIVES_MS,
  livePreviousSecret,
  liveSecrets,
} from './model/merchant/merchant.js'
export { waitingFields } from './ledger/merchant/field-announcement-sql.js'
export { createSqlKeyDigests } from './ledger/idempotency/key-digest-sql.js'
export { type MerchantStore, createSqlMerchantStore } from './ledger/merchant/merchant-store-sql.js'
export {
  type LostSecrets,
  findLostSecrets,
  giveUpLostSecrets,
} from './ledger/merchant/lost-secret-sql.js'
export {
  type SecretKey,
  StoreSecretError,
  createSecretWrapping,
  isWrappedSecret,
} from './ledger/merchant/secret-wrapping.js'
export {
  type TargetAllowance,
  acceptsTarget,
  hostAllowance,
  parseTargetAllowances,
} from './delivery/notification-target.js'
