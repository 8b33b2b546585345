// The port that each kind of payment fills. The core asks a method, and knows no other difference.
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

/** A request for a payment, and when its shop or the payer of a link stops waiting. */
export interface TimedRequest {
  readonly request: TransactionRequest
  readonly deadline: Deadline
}

/** An order that a method plans the payment of. */
export interface PlannedOrder extends TimedRequest {
  readonly merchant: Merchant
  /** The payer of a payment link has sent it. */
  readonly isFromLink: boolean
}

/** What a method will do about an order. Making the plan commits nothing and calls nobody. */
export interface PaymentPlan {
  readonly installments: number
  /** What joins the commit of the intent. */
  readonly parts: readonly IntentPart[]
  /**
   * Asks for the payment of the committed intent, and commits the answer.
   * @throws ApiError when it was refused or may not be shown: then the intent is gone, or a worker
   * withdraws it. A search may have let it stand: it is returned as it is then
   */
  readonly open: (intent: Transaction, inserted: InsertedIntent) => Promise<Transaction>
}

/** Why a store can take no payment of a method: a cause of `unavailable_payment_method`. */
export type MethodObstacle = 'no-account' | 'not-opened'

/** What a payer needs to pay, as the API answers it (specification, section 2.3). */
export type PayerFields = Pick<
  TransactionBody['transaction'],
  | 'barcode-number'
  | 'digitable-line'
  | 'payment-url'
  | 'payment-code'
  | 'qrcode-image'
  | 'authentication-url'
>

/** Asks a provider for the slip that it draws of a payment, as PDF. */
export type ReadSlip = () => Promise<Answer<Uint8Array>>

/** How payments of one type are asked for, ended, returned and shown. */
export interface PaymentMethod {
  readonly type: PaymentType
  /** The status of a payment that the payer does not make in time. */
  readonly unpaidStatus: 'NOT-PAID' | 'EXPIRED'

  /** Why a payment link of the store cannot offer it. Absent where only an order shows that. */
  readonly obstacle?: (storeId: string) => Promise<MethodObstacle | undefined>

  /** @throws ApiError when the store cannot take the order by this method, with every failure */
  readonly plan: (order: PlannedOrder) => PaymentPlan | Promise<PaymentPlan>

  /**
   * Finishes an open intent whose request has come again.
   * @returns the transaction as it then is; undefined when it was withdrawn
   * @throws ApiError while the provider does not say what became of it
   */
  readonly resume: (intent: Transaction, order: TimedRequest) => Promise<Transaction | undefined>

  /**
   * Whether the request of an open intent was answered that its provider may have opened a charge:
   * it works on it no more. Absent where no request is answered so.
   */
  readonly isDoubtful?: (intent: Transaction) => Promise<boolean>

  /**
   * Finishes an open intent whose request has gone unanswered: a worker's.
   * @throws Error while the provider does not say what became of it
   */
  readonly finish: (intent: Transaction) => Promise<unknown>

  /**
   * Finds out for a search whether an intent that may be withdrawn has been asked for. One that has
   * not arrived never will.
   * @throws Error while that is not known
   */
  readonly decide: (intent: Transaction) => Promise<'arrived' | 'never-arrived'>

  /**
   * Ends a payment that waits for its payer, at its provider first. It may have been paid. Absent
   * where the provider decides by itself, and soon.
   */
  readonly cancel?: (payment: Transaction) => Promise<unknown>

  /** Follows a status that an operator, a wallet or a review has reported of a payment. */
  readonly follow?: (payment: Transaction) => Promise<void>

  /** Why the money of a payment cannot be sent back; undefined when it can. */
  readonly refundObstacle: (payment: Transaction) => MethodRefundCause | undefined
  /** Days after its payment in which it may be refunded, where they are not those of its type. */
  readonly refundDays?: (payment: Transaction) => Promise<number | undefined>
  /** Asks for a refund. `unknown` means ask again later. */
  readonly refund: (refund: Refund, payment: Transaction) => Promise<RefundOutcome | 'unknown'>

  /**
   * What its payer needs to pay.
   * @param publicUrl - Origin at which payers reach this environment.
   */
  readonly shown: (payment: Transaction, publicUrl: string) => PayerFields
  /**
   * What reads the slip of a boleto that its provider draws; undefined where it draws none, or
   * cannot be asked. Asks nobody by itself.
   */
  readonly slip?: (payment: Transaction) => Promise<ReadSlip | undefined>
  /** When nobody can pay it any more, by its provider; undefined where none has said so. */
  readonly payableUntilMs?: (payment: Transaction) => Promise<number | undefined>
  /** Whether the provider may give that after the creation was answered: a search shows it too. */
  readonly isGivenLater: boolean
}

/** Whether a payer is waited for: the payment may be cancelled meanwhile. */
export function waitsForPayer({ cancel }: PaymentMethod): boolean {
  return cancel !== undefined
}

/** The methods of one environment. */
export interface PaymentMethods {
  readonly all: readonly PaymentMethod[]
  readonly of: (type: PaymentType) => PaymentMethod
}

/** @throws Error when two methods have one type */
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
