import type { UseCaseParts } from '../composition/gateway-parts.js'
import type { Operation } from './openapi/openapi-document.js'
import type { PayerFields } from '../method/payment-method.js'
import type { Merchant } from '../model/merchant/merchant.js'
import type { Transaction } from '../model/transaction/transaction.js'
import { authenticate } from '../payment/authentication-service.js'
import { createInstallmentsCharged } from '../payment/charged-brand-service.js'
import {
  type FirstResponse,
  type KeyedRequest,
  respondOnce,
} from '../payment/idempotency-service.js'
import { followAuthentication } from '../payment/card-authentication-service.js'
import { createSlipReader, findBoleto } from '../payment/boleto-slip-service.js'
import { createQueryCheck } from '../payment/query-parameter-service.js'
import type { ReceivedRequest } from '../payment/message-signature-service.js'
import { shownInstallments } from '../payment/installment-service.js'
import { findPixCode } from '../payment/payer-page-service.js'
import {
  type InterestChangeOrder,
  changeInterestByApi,
  interestOf,
  readInterestChange,
} from '../payment/interest-service.js'
import { type SentOrder, createReceivedOrder } from '../payment/received-order-service.js'
import {
  type RefundCreation,
  createRefund,
  createRefundFor,
  readRefundRequest,
} from '../payment/refund-service.js'
import { searchOne, searchTransactions } from '../payment/search-service.js'
import { createUnknownFieldCheck } from '../payment/unknown-field-service.js'

/** The use cases that the HTTP API serves. Each throws an ApiError for what it refuses. */
export type GatewayApi = ReturnType<typeof createGatewayApi>

export function createGatewayApi(deps: UseCaseParts) {
  const { requestPolicy, log, methods } = deps
  return {
    log,
    authenticate: (request: ReceivedRequest) => authenticate(deps, request),
    /** Checks for query parameters that the interface does not read. */
    checkQuery: createQueryCheck(deps),
    /** Finds fields of a body that the interface does not read. */
    unknownFields: createUnknownFieldCheck(deps),
    respondOnce: (request: KeyedRequest, respond: (isRetry: boolean) => Promise<FirstResponse>) =>
      respondOnce(deps, request, respond),
    shownInstallments: (merchant: Merchant, priced: Parameters<typeof shownInstallments>[2]) =>
      shownInstallments(deps, merchant, priced),
    installmentsCharged: createInstallmentsCharged(deps),
    interestOf: (merchant: Merchant) => interestOf(deps, merchant),
    readInterestChange: (json: unknown, merchant: Merchant) =>
      readInterestChange(deps, merchant, json),
    changeInterest: (merchant: Merchant, order: InterestChangeOrder) =>
      changeInterestByApi(deps, merchant, order),
    /** Fields that the payer of a new transaction needs to pay. */
    shown: (transaction: Transaction, publicUrl: string) =>
      methods.of(transaction.paymentType).shown(transaction, publicUrl),
    /** The same fields, if the provider may supply them after the creation's response. */
    shownInSearch(transaction: Transaction, publicUrl: string): PayerFields {
      const method = methods.of(transaction.paymentType)
      return method.isGivenLater ? method.shown(transaction, publicUrl) : {}
    },
    createTransaction: (merchant: Merchant, order: SentOrder) =>
      createReceivedOrder(deps, merchant, order),
    searchTransactions: (merchant: Merchant, query: Readonly<Record<string, string>>) =>
      searchTransactions(deps, merchant, query),
    searchOne: (merchant: Merchant, code: string) => searchOne(deps, merchant, code),
    readRefundRequest: (json: unknown, merchant: Merchant) =>
      readRefundRequest(json, merchant, requestPolicy),
    createRefund: (merchant: Merchant, creation: RefundCreation) =>
      createRefund(deps, merchant, creation),
    /** For a store that signed in another environment. */
    createRefundFor: (merchantId: string, creation: RefundCreation) =>
      createRefundFor(deps, merchantId, creation),
    findBoleto: (publicId: string) => findBoleto(deps, publicId),
    readSlip: createSlipReader(deps),
    followAuthentication: (publicId: string, result?: string) =>
      followAuthentication(deps, publicId, result),
    findPixCode: (publicId: string) => findPixCode(deps, publicId),
  }
}

export interface GatewayRouteOptions {
  /** Vendor segment of the media type; may contain dots. */
  readonly mediaVendor: string
  /** Origin at which payers reach this environment, without a trailing slash. */
  readonly publicUrl: string
  /** Origin that serves the documentation of errors; undefined when none is known. */
  readonly docsOrigin?: string | undefined
  /** Operations that the origin serves beside the API, for the API's document. */
  readonly operations?: readonly Operation[]
  /** The sandbox, where refunds with `test-mode: 1` go, from either origin. */
  readonly sandbox?: { readonly api: GatewayApi }
}

/** Dependencies of the routes of one environment. */
export interface RouteDeps extends GatewayRouteOptions {
  readonly api: GatewayApi
}
