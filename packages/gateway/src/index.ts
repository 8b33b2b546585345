export type { SignatureDigestRule } from './authentication/request-signature.js'
export type { CardPayments } from './card-payment/card-payments.js'
export type { InstallmentTerms } from './card-lookup/installment-plan.js'
export { type Gateway, type GatewayOptions, createGateway } from './create-gateway.js'
export type { GatewayTables } from './database/gateway-tables.js'
export { openGatewayDatabase } from './database/open-gateway-database.js'
export type { Merchant } from './merchant/merchant.js'
export {
  type TargetAllowance,
  acceptsTarget,
  parseTargetAllowances,
} from './notification/notification-target.js'
