import type { Log, RefundRequest } from '@cofre/contracts'
import type { InstallmentTerms } from '../model/card/installment-plan.js'
import type { Merchant } from '../model/merchant/merchant.js'
import type { Refund } from '../model/refund/refund.js'
import type { PixDetails } from '../model/transaction/payment-details.js'
import type { Transaction } from '../model/transaction/transaction.js'
import type { FirstAnswer, KeyedRequest, OnceAnswered } from '../payment/idempotency-service.js'
import type { BoletoSlip } from '../payment/payer-page-service.js'
import type { SignedRequest } from '../payment/request-signature.js'
import type { SearchPage } from '../payment/search-service.js'
import type { CreationRequest } from '../payment/transaction-service.js'

/** The use cases of a gateway that its HTTP API serves. Each throws ApiError with what it refuses. */
export interface GatewayApi {
  /** The store that signed the request. */
  authenticate(authorization: string | undefined, request: SignedRequest): Promise<Merchant>
  /** Answers a request once per `Idempotency-Key`. */
  answerOnce(
    request: KeyedRequest,
    answer: (isRetry: boolean) => Promise<FirstAnswer>,
  ): Promise<OnceAnswered>
  createTransaction(merchant: Merchant, request: CreationRequest): Promise<Transaction>
  searchTransactions(
    merchant: Merchant,
    parameters: Readonly<Record<string, string | undefined>>,
  ): Promise<SearchPage>
  searchOne(merchant: Merchant, code: string): Promise<SearchPage>
  readRefundRequest(json: unknown, merchant: Merchant): RefundRequest
  createRefund(merchant: Merchant, request: RefundRequest): Promise<Refund>
  /** A refund for a store that signed in another environment. */
  createRefundFor(merchantId: string, request: RefundRequest): Promise<Refund>
  findBoleto(publicId: string): Promise<BoletoSlip>
  findPix(publicId: string): Promise<PixDetails>
  readonly installmentTerms: InstallmentTerms
  readonly log: Log
}

/** What the routes of one environment are made with. */
export interface RouteDeps {
  readonly api: GatewayApi
  /** Vendor segment of the media type; may contain dots. */
  readonly mediaVendor: string
  /** Origin at which payers reach this environment, without a trailing slash. */
  readonly publicUrl: string
  /** Where a refund with `test-mode: 1` goes: the sandbox, from either origin. */
  readonly testRefunds: GatewayApi | undefined
}
