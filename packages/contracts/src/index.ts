export * from './runtime/assert-never.js'
export * from './value/answer.js'
export * from './value/brand-type.js'
export * from './card/bin.js'
export * from './card/brand.js'
export * from './card/card-numbers-in-text.js'
export * from './card/card-rules.js'
export * from './card/lookup.js'
export * from './runtime/clock.js'
export { type Cursor, cursorBy } from './runtime/cursor.js'
export * from './value/deadline.js'
export * from './value/environment.js'
export * from './errors/api-error.js'
export * from './errors/catalogue.js'
export * from './errors/shown-value.js'
export * from './runtime/log.js'
export * from './runtime/pages.js'
export * from './value/money.js'
export * from './value/secret.js'
export * from './value/spelling.js'
export * from './wire/merchant-request.js'
export * from './wire/message-signature.js'
export {
  type PaymentKey,
  captureReference,
  checkReference,
  paymentReference,
  readReference,
  refundReference,
} from './wire/payment-reference.js'
export * from './value/text.js'
export * from './value/timestamp.js'
export * from './value/document.js'
export * from './transaction/decline.js'
export * from './transaction/language.js'
export * from './transaction/limits.js'
export {
  TOKEN_FIELDS,
  isLikeSecurityCode,
  maskNamedSecurityCodes,
  maskSecurityCodes,
  namesSecurityCode,
} from './card/security-code.js'
export { type Metadata, isMetadataKey } from './transaction/metadata.js'
export * from './transaction/refund.js'
export * from './transaction/request.js'
export * from './transaction/request-sums.js'
export { isNotificationAddress, phoneSchema } from './transaction/request-fields.js'
export {
  type InterestBody,
  type InterestChangeRequest,
  type InterestElement,
  interestBodySchema,
  interestChangeTable,
  interestFacts,
} from './transaction/interest.js'
export {
  type LinkBody,
  type LinkElement,
  type LinkListBody,
  type LinkPolicy,
  type LinkRequest,
  type LinkStatus,
  type LinkTryElement,
  type LinkUsage,
  type LinkWithTriesBody,
  LINK_STATUSES,
  LINK_USAGES,
  linkBodySchema,
  linkFacts,
  linkListSchema,
  linkMethods,
  linkRequestTable,
  linkTableOf,
  linkWithTriesSchema,
  paymentTypeOf,
} from './transaction/payment-link.js'
export {
  type CancellationReason,
  type EndpointBody,
  type EndpointChange,
  type EndpointElement,
  type EndpointListBody,
  type EndpointRequest,
  type EndpointSecretBody,
  type EventBody,
  type EventData,
  type EventDeliveryElement,
  type EventElement,
  type EventListBody,
  type EventMessage,
  type EventPayment,
  type EventType,
  ENDPOINT_CODE,
  EVENT_CODE,
  EVENT_DATA,
  EVENT_TYPES,
  endpointBodySchema,
  endpointChangeTable,
  endpointFacts,
  endpointListSchema,
  endpointRequestTable,
  endpointSecretSchema,
  eventBodySchema,
  eventListSchema,
  eventMessageSchema,
  eventSendingTable,
} from './transaction/event.js'
export { type CaptureRequest, captureRequestTable } from './transaction/capture.js'
export {
  type PaymentSearchRequest,
  paymentSearchFacts,
  paymentSearchTable,
} from './transaction/payment-search.js'
export {
  type CancellationBody,
  type CaptureBody,
  type PaymentBody,
  type PaymentElement,
  type PaymentListBody,
  type PaymentMethodName,
  type PaymentStatus,
  type PaymentSummary,
  type RefundListBody,
  type RefundSummary,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  cancellationBodySchema,
  captureBodySchema,
  methodOfType,
  paymentBodySchema,
  paymentListSchema,
  refundListSchema,
  typeOfMethod,
} from './transaction/payment.js'
export * from './transaction/response.js'
export {
  type SavedCardBody,
  type SavedCardCheckBody,
  type SavedCardCreation,
  type SavedCardElement,
  type SavedCardListBody,
  type SavedCardSearch,
  savedCardBodySchema,
  savedCardCheckSchema,
  savedCardCreationTable,
  savedCardListSchema,
  savedCardSearchTable,
} from './transaction/saved-card.js'
export { REQUEST_RULES, type RequestPolicy, type RequestRules } from './transaction/rule-set.js'
export * from './transaction/status.js'
export * from './store/store-key.js'
export * from './store/store-settings.js'
export { type FieldTable, dropAbsent, ownValue, valueAt } from './validation/field-table.js'
export { brokenJsonAt } from './validation/json-position.js'
export * from './validation/json-values.js'
export * from './settlement/settlement-line.js'
export { type CardAccount, type CardAccounts } from './wire/card-account.js'
export * from './wire/card-authorization.js'
export {
  type CardCheck,
  type CardCheckAnswer,
  type CardChecks,
  type CheckedCard,
  type CheckRefusal,
} from './wire/card-check.js'
export * from './wire/card-return.js'
export * from './wire/direct-token.js'
export * from './wire/field-settings.js'
export {
  type CardsOfPayer,
  type StoredCard,
  type StoredCardKey,
  type StoredCards,
} from './wire/stored-card.js'
export * from './wire/vault-service.js'
export * from './wire/sandbox-requests.js'
