import {
  type FieldTable,
  type InterfaceVersion,
  binLookupSchema,
  cancellationBodySchema,
  captureBodySchema,
  captureRequestTable,
  cardLookupSchema,
  endpointBodySchema,
  endpointChangeTable,
  endpointListSchema,
  endpointRequestTable,
  endpointSecretSchema,
  eventBodySchema,
  eventListSchema,
  eventSendingTable,
  installmentsLookupSchema,
  interestBodySchema,
  interestChangeTable,
  linkBodySchema,
  linkListSchema,
  linkRequestTable,
  linkWithTriesSchema,
  paymentBodySchema,
  paymentListSchema,
  paymentSearchTable,
  refundBodySchema,
  refundListSchema,
  refundRequestTable,
  savedCardBodySchema,
  savedCardCheckSchema,
  savedCardCreationTable,
  savedCardListSchema,
  savedCardSearchTable,
  searchBodySchema,
  transactionBodySchema,
  transactionRequestTable,
} from '@cofre/contracts'
import type { z } from 'zod'

export interface OperationBodies {
  /** Version of the interface, which sets its header rules; undefined without header rules. */
  readonly version?: InterfaceVersion
  /** Name and fields of the body. */
  readonly request?: readonly [string, FieldTable<z.ZodType, never>]
  /** Name and schema of the body of success. */
  readonly response: readonly [string, z.ZodType]
}

/** Listed, because packed declarations cannot refer to the JSON of the texts. */
type OperationId =
  | 'createTransaction'
  | 'searchTransactions'
  | 'findTransaction'
  | 'createRefund'
  | 'listPayments'
  | 'searchPayments'
  | 'findPayment'
  | 'capturePayment'
  | 'cancelPayment'
  | 'listRefunds'
  | 'saveCard'
  | 'searchSavedCards'
  | 'findSavedCard'
  | 'deleteSavedCard'
  | 'removeSavedCard'
  | 'listEvents'
  | 'findEvent'
  | 'sendEvent'
  | 'createEventEndpoint'
  | 'listEventEndpoints'
  | 'findEventEndpoint'
  | 'changeEventEndpoint'
  | 'rotateEventEndpointSecret'
  | 'deleteEventEndpoint'
  | 'removeEventEndpoint'
  | 'createPaymentLink'
  | 'listPaymentLinks'
  | 'findPaymentLink'
  | 'revokePaymentLink'
  | 'lookUpCard'
  | 'lookUpBin'
  | 'lookUpInstallments'
  | 'findInterest'
  | 'changeInterest'

/** The bodies of each operation, and their names in the document. */
export const BODIES: Readonly<Record<OperationId, OperationBodies>> = {
  createTransaction: {
    version: 'v2',
    request: ['TransactionRequest', transactionRequestTable],
    response: ['Transaction', transactionBodySchema],
  },
  searchTransactions: { version: 'v1', response: ['SearchResult', searchBodySchema] },
  findTransaction: { version: 'v1', response: ['SearchResult', searchBodySchema] },
  createRefund: {
    version: 'v2',
    request: ['RefundRequest', refundRequestTable],
    response: ['Refund', refundBodySchema],
  },
  listPayments: { version: 'v2', response: ['PaymentList', paymentListSchema] },
  searchPayments: {
    version: 'v2',
    request: ['PaymentSearchRequest', paymentSearchTable],
    response: ['PaymentList', paymentListSchema],
  },
  findPayment: { version: 'v2', response: ['Payment', paymentBodySchema] },
  capturePayment: {
    version: 'v2',
    request: ['CaptureRequest', captureRequestTable],
    response: ['Capture', captureBodySchema],
  },
  cancelPayment: { version: 'v2', response: ['Cancellation', cancellationBodySchema] },
  listRefunds: { version: 'v2', response: ['RefundList', refundListSchema] },
  saveCard: {
    version: 'v2',
    request: ['SavedCardRequest', savedCardCreationTable],
    response: ['SavedCardCheck', savedCardCheckSchema],
  },
  searchSavedCards: {
    version: 'v2',
    request: ['SavedCardSearchRequest', savedCardSearchTable],
    response: ['SavedCardList', savedCardListSchema],
  },
  findSavedCard: { version: 'v2', response: ['SavedCard', savedCardBodySchema] },
  deleteSavedCard: { version: 'v2', response: ['SavedCard', savedCardBodySchema] },
  removeSavedCard: { version: 'v2', response: ['SavedCard', savedCardBodySchema] },
  listEvents: { version: 'v2', response: ['EventList', eventListSchema] },
  findEvent: { version: 'v2', response: ['Event', eventBodySchema] },
  sendEvent: {
    version: 'v2',
    request: ['EventSendingRequest', eventSendingTable],
    response: ['Event', eventBodySchema],
  },
  createEventEndpoint: {
    version: 'v2',
    request: ['EventEndpointRequest', endpointRequestTable],
    response: ['EventEndpointWithSecret', endpointSecretSchema],
  },
  listEventEndpoints: { version: 'v2', response: ['EventEndpointList', endpointListSchema] },
  findEventEndpoint: { version: 'v2', response: ['EventEndpoint', endpointBodySchema] },
  changeEventEndpoint: {
    version: 'v2',
    request: ['EventEndpointChange', endpointChangeTable],
    response: ['EventEndpoint', endpointBodySchema],
  },
  rotateEventEndpointSecret: {
    version: 'v2',
    response: ['EventEndpointWithSecret', endpointSecretSchema],
  },
  deleteEventEndpoint: { version: 'v2', response: ['EventEndpoint', endpointBodySchema] },
  removeEventEndpoint: { version: 'v2', response: ['EventEndpoint', endpointBodySchema] },
  createPaymentLink: {
    version: 'v2',
    request: ['PaymentLinkRequest', linkRequestTable],
    response: ['PaymentLink', linkBodySchema],
  },
  listPaymentLinks: { version: 'v1', response: ['PaymentLinkList', linkListSchema] },
  findPaymentLink: { version: 'v1', response: ['PaymentLinkWithTries', linkWithTriesSchema] },
  revokePaymentLink: { version: 'v2', response: ['PaymentLink', linkBodySchema] },
  lookUpCard: { version: 'v1', response: ['CardLookup', cardLookupSchema] },
  lookUpBin: { version: 'v1', response: ['BinLookup', binLookupSchema] },
  lookUpInstallments: {
    version: 'v1',
    response: ['InstallmentsLookup', installmentsLookupSchema],
  },
  findInterest: { version: 'v1', response: ['Interest', interestBodySchema] },
  changeInterest: {
    version: 'v2',
    request: ['InterestChangeRequest', interestChangeTable],
    response: ['Interest', interestBodySchema],
  },
}
