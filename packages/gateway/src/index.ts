export type { SignatureDigestRule } from './model/gateway-deps.js'
export type * from './model/back-office/back-office.js'
export type { BackOffice } from './back-office/back-office-service.js'
export type { CardPayments } from '@cofre/contracts'
export type { InstallmentTerms } from './model/card/installment-plan.js'
export { type Gateway, type GatewayOptions, createGateway } from './create-gateway.js'
export type { GatewayTables } from './ledger/database/gateway-tables.js'
export {
  inspectGatewayDatabase,
  openGatewayDatabase,
} from './ledger/database/open-gateway-database.js'
export { santanderFreeField } from './model/boleto/free-field.js'
export type { PayerBlocklist } from './model/purchase/payer-blocklist-store.js'
export { createPayerBlocklist } from './ledger/transaction/payer-blocklist-store-sql.js'
export { PUBLIC_URL_LENGTH_MAX } from './model/payer-page/payer-paths.js'
export { messageOf } from './model/notification/notification.js'
export type { Refund } from './model/refund/refund.js'
export type { Transaction } from './model/transaction/transaction.js'
export { createSqlUnderReviewStore } from './ledger/transaction/under-review-store-sql.js'
export type { PaymentDetails } from './model/transaction/payment-details.js'
export type { PaymentRails } from './model/payment-rail/payment-rails.js'
export type { WaitingWallet } from './model/payment-rail/waiting-wallet.js'
export { createHttpSender } from './delivery/http-sender.js'
export { createSqlNotificationStore } from './ledger/notification/notification-store-sql.js'
export type { NotificationSender } from './model/notification/notification-sender.js'
export type { WatchedWorker, Worker } from './worker/worker-service.js'
export {
  type Merchant,
  type MerchantSettings,
  type RefundRight,
  type StoreActor,
  type StoreChange,
  livePreviousSecret,
  liveSecrets,
} from './model/merchant/merchant.js'
export type { MerchantStore } from './model/merchant/merchant-store.js'
export { createSqlMerchantStore } from './ledger/merchant/merchant-store-sql.js'
export {
  type SecretKey,
  StoreSecretError,
  createSecretWrapping,
  isWrappedSecret,
} from './ledger/merchant/secret-wrapping.js'
export {
  type TargetAllowance,
  acceptsTarget,
  parseTargetAllowances,
} from './delivery/notification-target.js'
