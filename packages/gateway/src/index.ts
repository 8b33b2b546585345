export type { SignatureDigestRule } from './authentication/request-signature.js'
export type * from './back-office/back-office.js'
export type { BackOffice } from './back-office/back-office-service.js'
export type { CardPayments } from './card-payment/card-payments.js'
export type { InstallmentTerms } from './card-lookup/installment-plan.js'
export { type Gateway, type GatewayOptions, createGateway } from './create-gateway.js'
export type { GatewayTables } from './database/gateway-tables.js'
export { inspectGatewayDatabase, openGatewayDatabase } from './database/open-gateway-database.js'
export { santanderFreeField } from './boleto/free-field.js'
export { DEFAULT_PURCHASE_LIMIT } from './purchase/purchase-rules.js'
export type { PayerBlocklist } from './purchase/payer-blocklist-store.js'
export { createPayerBlocklist } from './purchase/payer-blocklist-store-sql.js'
export { PUBLIC_URL_LENGTH_MAX } from './payer-page/payer-paths.js'
export type { Refund } from './refund/refund.js'
export type { Transaction } from './transaction/transaction.js'
export { createSqlUnderReviewStore } from './transaction/under-review-store-sql.js'
export type { PaymentDetails } from './transaction/payment-details.js'
export type { PaymentRails } from './payment-rail/payment-rails.js'
export type { WaitingWallet } from './payment-rail/waiting-wallet.js'
export { createHttpSender } from './notification/http-sender.js'
export { createSqlNotificationStore } from './notification/notification-store-sql.js'
export type { NotificationSender } from './notification/notification-sender.js'
export type { WatchedWorker, Worker } from './worker/worker-service.js'
export {
  type Merchant,
  type MerchantSettings,
  type RefundRight,
  type StoreActor,
  type StoreChange,
  liveSecrets,
} from './merchant/merchant.js'
export type { MerchantStore } from './merchant/merchant-store.js'
export { createSqlMerchantStore } from './merchant/merchant-store-sql.js'
export {
  type SecretKey,
  StoreSecretError,
  createSecretWrapping,
  isWrappedSecret,
} from './merchant/secret-wrapping.js'
export {
  type TargetAllowance,
  acceptsTarget,
  parseTargetAllowances,
} from './notification/notification-target.js'
