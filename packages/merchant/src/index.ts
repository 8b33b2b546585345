export type {
  BinBody,
  InstallmentBody,
  PaymentMethodBody,
  SearchBody,
  SearchElement,
  TransactionBody,
  WireError,
} from '@cofre/contracts'
export {
  type CreateOptions,
  type MerchantClient,
  type MerchantClientOptions,
  createMerchantClient,
} from './merchant-client.js'
export * from './merchant-error.js'
export * from './notification-signature.js'
export * from './notification.js'
export * from './sandbox-client.js'
export type { CardLookupBody, RefundBody } from './answer.js'
export type * from './lookup-query.js'
export type * from './refund-request.js'
export type * from './search-query.js'
export type * from './transaction-request.js'
