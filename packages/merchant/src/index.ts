export type {
  BinBody,
  CancellationBody,
  CaptureBody,
  DeclineBody,
  EndpointElement,
  EndpointSecretBody,
  EventBody,
  EventElement,
  EventListBody,
  EventMessage,
  EventType,
  InstallmentBody,
  InterestBody,
  InterestElement,
  LinkElement,
  LinkListBody,
  LinkStatus,
  LinkTryElement,
  LinkUsage,
  LinkWithTriesBody,
  PaymentElement,
  PaymentListBody,
  PaymentMethodBody,
  PaymentMethodName,
  PaymentStatus,
  PaymentSummary,
  RefundListBody,
  RefundStatus,
  RefundSummary,
  SavedCardCheckBody,
  SavedCardElement,
  SavedCardListBody,
  SearchBody,
  SearchElement,
  TransactionBody,
  TransactionStatus,
  WireError,
} from '@cofre/contracts'
export { explainDecline, shopperTextOf } from '@cofre/contracts/declines'
export {
  type MerchantClient,
  type MerchantClientOptions,
  createMerchantClient,
} from './merchant-client.js'
export type { StreamRequest } from './event-stream.js'
export type { EventCalls } from './events.js'
export type { PaymentLinkCalls } from './payment-links.js'
export type { PaymentCalls } from './payments.js'
export type { SavedCardCalls } from './saved-cards.js'
export type { Machine } from './machine.js'
export {
  type ConnectionFailure,
  MerchantApiError,
  MerchantConnectionError,
  MerchantError,
  type SentCreation,
  type ServiceError,
  isOutcomeUnknown,
} from './merchant-error.js'
export type { NotificationBody } from './notification.js'
export * from './notification-signature.js'
export * from './notification.js'
export * from './sandbox-client.js'
export type { SignatureForm } from './signed-channel.js'
export type * from './request.js'
export type {
  CardLookupBody,
  RefundBody,
  RefundOutcome,
  SandboxPreviewBody,
  SandboxRefundBody,
  SandboxStatusBody,
  SandboxTimeBody,
} from './response.js'
