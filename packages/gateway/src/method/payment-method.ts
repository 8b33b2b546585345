// The port of each kind of payment. The core calls a method, and knows no other difference.
import type {
  Answer,
  Deadline,
  PaymentType,
  TransactionBody,
  TransactionRequest,
} from '@cofre/contracts'
import type { Merchant } from '../model/merchant/merchant.js'
import type { MethodRefundCause, Refund, RefundOutcome } from '../model/refund/refund.js'
import type { InsertedIntent, Transaction } from '../model/transaction/transaction.js'
import type { IntentPart } from './intent-part.js'

/** A request for a payment, and the time when its shop or the payer of a link stops waiting. */
export interface TimedRequest {
  readonly request: TransactionRequest
  readonly deadline: Deadline
}

/** An order whose payment a method plans. */
export interface PlannedOrder extends TimedRequest {
  readonly merchant: Merchant
  /** True if the payer of a payment link sent it. */
  readonly isFromLink: boolean
}

/** A method's plan for an order. Making it commits nothing and calls no provider. */
export interface PaymentPlan {
  readonly installments: number
  /** Parts of the intent's commit. */
  readonly parts: readonly IntentPart[]
  /**
   * Requests the payment of the committed intent, and commits the answer.
   * @throws ApiError if it was refused or may not be shown: then the intent is gone, or a worker
   * withdraws it. A search may have let it stand: then it is returned as it is
   */
  readonly open: (intent: Transaction, inserted: InsertedIntent) => Promise<Transaction>
}

/** Why a store cannot take payments of a method: a cause of `unavailable_payment_method`. */
export type MethodObstacle = 'no-account' | 'not-opened'

/** Fields that a payer needs to pay, as the API returns them (specification, section 2.3). */
export type PayerFields = Pick<
  TransactionBody['transaction'],
  | 'barcode-number'
  | 'digitable-line'
  | 'payment-url'
  | 'payment-code'
  | 'qrcode-image'
  | 'authentication-url'
>

/** Requests the slip that a provider draws of a payment, as PDF. */
export type ReadSlip = () => Promise<Answer<Uint8Array>>

/** How payments of one type are requested, ended, refunded and shown. */
export interface PaymentMethod {
  readonly type: PaymentType
  /** The status of a payment that the payer does not make in time. */
  readonly unpaidStatus: 'NOT-PAID' | 'EXPIRED'

  /** Why a payment link of the store cannot offer it. Absent if only an order shows that. */
  readonly obstacle?: (storeId: string) => Promise<MethodObstacle | undefined>

  /** @throws ApiError with every failure, if the store cannot take the order by this method */
  readonly plan: (order: PlannedOrder) => PaymentPlan | Promise<PaymentPlan>

  /**
   * Finishes an open intent whose request is repeated.
   * @returns the resulting transaction; undefined if it was withdrawn
   * @throws ApiError while the provider does not report the outcome
   */
  readonly resume: (intent: Transaction, order: TimedRequest) => Promise<Transaction | undefined>

  /**
   * True if an open intent's request got the response that its provider may have opened a charge.
   * Then the request no longer works on it. Absent if no request has such a response.
   */
  readonly isDoubtful?: (intent: Transaction) => Promise<boolean>

  /**
   * Finishes an open intent whose request has gone unanswered, for a worker.
   * @throws Error while the provider does not report the outcome
   */
  readonly finish: (intent: Transaction) => Promise<unknown>

  /**
   * Finds out for a search whether an intent that may be withdrawn has arrived at its provider. One
   * that has not arrived never will.
   * @throws Error while that is unknown
   */
  readonly decide: (intent: Transaction) => Promise<'arrived' | 'never-arrived'>

  /**
   * Ends a payment that waits for its payer, at its provider first. It may have been paid. Absent
   * if the provider decides by itself, and soon.
   */
  readonly cancel?: (payment: Transaction) => Promise<unknown>

  /** Reacts to a payment's status that an operator, a wallet or a review has reported. */
  readonly follow?: (payment: Transaction) => Promise<void>

  /** Why the money of a payment cannot be returned; undefined if it can. */
  readonly refundObstacle: (payment: Transaction) => MethodRefundCause | undefined
  /** Days after its payment in which it may be refunded, if they differ from those of its type. */
  readonly refundDays?: (payment: Transaction) => Promise<number | undefined>
  /** Requests a refund. `unknown` means that it must be requested again later. */
  readonly refund: (refund: Refund, payment: Transaction) => Promise<RefundOutcome | 'unknown'>

  /**
   * Fields that its payer needs to pay.
   * @param publicUrl - Origin at which payers reach this environment.
   */
  readonly shown: (payment: Transaction, publicUrl: string) => PayerFields
  /**
   * Reads the slip of a boleto that its provider draws; undefined if it draws none, or cannot be
   * called. This alone calls no provider.
   */
  readonly slip?: (payment: Transaction) => Promise<ReadSlip | undefined>
  /** When its provider stops accepting payment; undefined if no provider has reported that. */
  readonly payableUntilMs?: (payment: Transaction) => Promise<number | undefined>
  /**
   * True if the provider may supply them after the creation's response: a search shows them too.
   */
  readonly isGivenLater: boolean
}

/** True if the payment waits for its payer: it may be cancelled meanwhile. */
export function waitsForPayer({ cancel }: PaymentMethod): boolean {
  return cancel !== undefined
}

export interface PaymentMethods {
  readonly all: readonly PaymentMethod[]
  readonly of: (type: PaymentType) => PaymentMethod
}

/** @throws Error if two methods have one type */
export function paymentMethodsOf(all: readonly PaymentMethod[]): PaymentMethods {
  const byType = new Map(all.map((method) => [method.type, method]))
  if (byType.size < all.length) throw new Error('two payment methods have one type')
  return {
    all,
    of(type) {
      const method = byType.get(type)
      if (method === undefined) throw new Error(`no method takes payments of type ${type}`)
      return method
    },
  }
}
