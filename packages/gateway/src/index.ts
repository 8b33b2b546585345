export type { SignatureDigestRule } from './authentication/request-signature.js'
export type { CardPayments } from './card-payment/card-payments.js'
export type { InstallmentTerms } from './card-lookup/installment-plan.js'
export { type Gateway, type GatewayOptions, createGateway } from './create-gateway.js'
export type { GatewayTables } from './database/gateway-tables.js'
export { openGatewayDatabase } from './database/open-gateway-database.js'
export { santanderFreeField } from './boleto/free-field.js'
export { DEFAULT_PURCHASE_LIMIT } from './purchase/purchase-rules.js'
export type { PayerBlocklist } from './purchase/payer-blocklist-store.js'
export { createPayerBlocklist } from './purchase/payer-blocklist-store-sql.js'
export { PUBLIC_URL_LENGTH_MAX } from './payer-page/payer-paths.js'
export type { PaymentDetails } from './transaction/payment-details.js'
export type { PaymentRails } from './payment-rail/payment-rails.js'
export type { WaitingWallet } from './payment-rail/waiting-wallet.js'
export { createHttpSender } from './notification/http-sender.js'
export type { Worker } from './worker/worker-service.js'
export type { Merchant } from './merchant/merchant.js'
export {
  type TargetAllowance,
  acceptsTarget,
  parseTargetAllowances,
} from './notification/notification-target.js'
