export type { CardDispute } from './model/card/card-change.js'
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
export { paymentChanged } from './ledger/transaction/payment-changed.js'
export { PUBLIC_URL_LENGTH_MAX } from './model/payer-page/payer-paths.js'
export type { RefundOutcome } from './model/refund/refund.js'
export { capturedSums } from './model/transaction/capture.js'
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
export {
  type Merchant,
  type MerchantSettings,
  type SettingValue,
  type StoreChange,
  PREVIOUS_SECRET_LIVES_MS,
  liveKeys,
} from './model/merchant/merchant.js'
export {
  FIRST_KEY,
  type KeyRefusal,
  type ShownKey,
  STORE_KEYS_MAX,
  livePreviousSecret,
} from './model/merchant/store-key.js'
export { type SecretKey, StoreSecretError } from './ledger/merchant/secret-wrapping.js'
