// The port to the card networks: the vault's requests to an acquirer, and their results.
import type {
  Answer,
  AuthenticationAction,
  CardDetails,
  Decline,
  MinorUnits,
  NotSentAnswer,
  PaymentKey,
  RefusedAnswer,
  Secret,
  ThreeDSecureResult,
  UnknownAnswer,
} from '@cofre/contracts'

/**
 * A store's contract with one acquirer. Each call is one attempt. It never rejects because of the
 * acquirer or the network. A repetition under the same key charges or returns no money twice. Calls
 * for one payment run one after the other, also across processes.
 */
export interface Acquirer {
  /**
   * Charges a card: authorizes and captures in one step, unless it is captured later. Answers
   * within 15 s.
   */
  authorize(request: AuthorizeRequest): Promise<AcquirerAnswer<ChargeDecision>>
  /**
   * Completes a charge that was answered `authenticate`, with the payer's result. Absent if no
   * charge is answered so.
   */
  readonly completeAuthentication?: (
    request: CompletionRequest,
  ) => Promise<AcquirerAnswer<CompletedCharge>>
  /**
   * Captures an authorized payment, once: all of it, or a part; the rest is released. Absent if no
   * charge can be captured later.
   */
  readonly capture?: (request: CaptureRequest) => Promise<AcquirerAnswer<CaptureDecision>>
  /** Undoes a whole payment, captured or not. */
  cancel(request: CancelRequest): Promise<AcquirerAnswer<ReturnDecision>>
  /** Returns all or part of a captured payment. */
  refund(request: RefundRequest): Promise<AcquirerAnswer<ReturnDecision>>
  /**
   * Checks a card by an amount of zero: nothing is charged. Absent if the acquirer has no such
   * check. A call is never repeated: after an unknown answer, nothing is known of the card.
   */
  readonly check?: (request: CheckRequest) => Promise<AcquirerAnswer<CheckDecision>>
  /** The acquirer's records under a key. Absent if it can't be queried: then its notices decide. */
  readonly find?: (request: FindRequest) => Promise<AcquirerAnswer<FoundPayment>>
  /** Ends idle connections; calls in progress finish. */
  close(): Promise<void>
}

/**
 * The result of a request to an acquirer. Refused and not sent are certain: neither this call nor
 * an earlier one carried it out. Another account may then be asked; for the same one, the next
 * attempt is a first one. After an unknown answer, ask only the same account, under the same key.
 */
export type AcquirerAnswer<T> = Answer<T, Doubt>

/** Why a result is unknown, and the facts that are known. */
export interface Doubt extends UnknownAnswer {
  /**
   * Since when the acquirer has had no record of the earlier attempts. This call requested nothing.
   * Pass it to the next call.
   */
  readonly absentSinceMs?: number
  /** A charge that may have been made, if its acquirer has named it. */
  readonly payment?: AcquirerPayment
  /** Set if no answer came: the call failed here, or may still be in progress. */
  readonly unanswered?: 'failed' | 'under-way'
}

/** True if the request was certainly not carried out. */
export function isNotDone(
  answer: AcquirerAnswer<unknown>,
): answer is RefusedAnswer | NotSentAnswer {
  return answer.kind === 'refused' || answer.kind === 'not-sent'
}

/**
 * Earlier requests under the same key with unknown results. The vault commits this before each
 * call.
 */
export interface EarlierAttempts {
  /** The start of the first attempt. */
  readonly firstAtMs: number
  /**
   * From the answer to the preceding call. An answer without it resets it. So does a call without
   * an answer, which may have reached the acquirer.
   */
  readonly absentSinceMs: number | undefined
}

/** A card for the acquirer. A saved card has no CVV. */
export type CardToCharge = Omit<CardDetails, 'cvv'> & Partial<Pick<CardDetails, 'cvv'>>

export interface AuthorizeRequest {
  readonly key: PaymentKey
  /**
   * Undefined only for the first attempt: after a call that may have left, no attempt is the first.
   */
  readonly earlier: EarlierAttempts | undefined
  readonly card: Secret<CardToCharge>
  /** As `CARD_BRANDS` names it. */
  readonly brand: string
  /** The charged amount, including interest. */
  readonly amountMinor: MinorUnits
  readonly installments: number
  readonly payer: CardPayer
  readonly storedCredential: StoredCredential | undefined
  readonly threeDSecure: ThreeDSecureResult | undefined
  /** The payment was made at a payment link. */
  readonly isFromLink?: true | undefined
  /** The payer's return address; without it, no charge is answered `authenticate`. */
  readonly authenticationReturnUrl?: string | undefined
  /** Only authorizes: an approved charge is captured or cancelled later. */
  readonly isCapturedLater?: true | undefined
}

export interface CardPayer {
  /** Used as the holder's name. */
  readonly name: string
  /** CPF or CNPJ without punctuation. */
  readonly document: string | undefined
  readonly email: string | undefined
  readonly ip: string | undefined
}

/**
 * A brand's ids of a charge, as its acquirer returned them. Later charges of the same card refer to
 * them, also at another acquirer.
 */
export interface BrandIds {
  /** For most brands: Mastercard's Trace ID, Visa's Transaction ID. */
  readonly networkTransactionId: string | undefined
  /** Mastercard's Transaction Link Identifier (TLID). */
  readonly transactionLinkId?: string | undefined
}

/**
 * Brands require a mark when a card is saved, and when a saved card is charged. These ids are those
 * of the first use; a connector sends these or the newest, as its acquirer requires.
 */
export interface StoredCredential extends BrandIds {
  readonly use: 'first' | 'later'
  /** For charges by agreement, without the payer present. */
  readonly isSubscription: boolean
  /** Ids of the most recent use, if known. */
  readonly newest?: BrandIds | undefined
}

/** The acquirer's ids of a payment; undefined if it returns none. */
export interface AcquirerPayment extends BrandIds {
  readonly paymentId: string
  readonly nsu: string | undefined
  readonly authorizationCode: string | undefined
  readonly eci: string | undefined
}

/** An acquirer's decision about a charge. */
export type ChargeDecision =
  | {
      readonly outcome: 'approved'
      readonly payment: AcquirerPayment
      /** Further charges under the same key, by their ids: each must be cancelled. */
      readonly surplus: readonly string[]
    }
  | {
      readonly outcome: 'declined'
      readonly decline: Decline
      /** Undefined if the acquirer refused before it created a payment. */
      readonly payment: AcquirerPayment | undefined
    }
  /** The acquirer decides later. Ask again or wait for its notice, as after an unknown outcome. */
  | { readonly outcome: 'pending' | 'review'; readonly payment: AcquirerPayment }
  /**
   * The issuer requires that the holder authenticates: nothing is charged before. The payment's ids
   * come with the completion.
   */
  | { readonly outcome: 'authenticate'; readonly action: AuthenticationAction }

export interface CompletionRequest extends Pick<AuthorizeRequest, 'key' | 'brand' | 'amountMinor'> {
  /** Earlier attempts with the same result. */
  readonly earlier: EarlierAttempts | undefined
  /** Untrusted: it may be invented, or another payment's. */
  readonly result: Secret<string>
}

/** If the acquirer refuses the result, the payment keeps waiting. */
export type CompletedCharge = Exclude<ChargeDecision, { outcome: 'authenticate' }>

/** A card that its payer saves, before any charge. */
export interface CheckRequest extends Pick<AuthorizeRequest, 'card' | 'brand' | 'payer'> {
  /** The check's own, in place of a transaction's. */
  readonly key: PaymentKey
}

export type CheckDecision =
  | { readonly outcome: 'approved'; readonly ids: BrandIds }
  | { readonly outcome: 'declined'; readonly decline: Decline }

export interface CaptureRequest {
  readonly key: PaymentKey
  readonly earlier: EarlierAttempts | undefined
  readonly paymentId: string
  readonly authorizedMinor: MinorUnits
  /** At most the authorized amount. */
  readonly amountMinor: MinorUnits
  /** When it was ordered: after a refusal, the same capture may be ordered again. */
  readonly orderedAtMs: number
}

/** Why an authorized payment is not captured. */
export type CaptureRefusalReason =
  /** Its time is over, or it was cancelled: nothing can be captured any more. */
  | 'released'
  | 'amount_exceeds_payment'
  | 'payment_not_found'
  /** The contract does not allow it. */
  | 'not_enabled'
  | 'other'

/** An acquirer's decision about a capture. */
export type CaptureDecision =
  | {
      /** `in_process`: accepted; a notice or a look-up brings its end. */
      readonly state: 'done' | 'in_process'
      /** The acquirer's id of the capture, if it has one. */
      readonly captureId: string | undefined
    }
  | {
      readonly state: 'refused'
      readonly reason: CaptureRefusalReason
      /** The acquirer's own code. */
      readonly code: string | undefined
      /** One redacted line for an operator. */
      readonly detail: string
    }

export interface CancelRequest {
  readonly key: PaymentKey
  readonly earlier: EarlierAttempts | undefined
  /** Undefined if its answer never arrived: then the key finds it. */
  readonly paymentId: string | undefined
  /** The charged amount. */
  readonly chargedMinor: MinorUnits
  /** The time of the charge: some acquirers undo a captured payment from the next day on. */
  readonly chargedAtMs: number
  /** Undoes an authorization; a payment that was captured meanwhile stays. Needs `paymentId`. */
  readonly isUncaptured?: true | undefined
  /** When such an undoing was ordered: after a refusal, it may be ordered again. */
  readonly orderedAtMs?: number | undefined
}

export interface RefundRequest {
  readonly key: PaymentKey
  readonly earlier: EarlierAttempts | undefined
  /** Digits: unique in the environment. */
  readonly refundId: string
  readonly paymentId: string
  readonly chargedMinor: MinorUnits
  /** The time of the charge, or of its later capture. */
  readonly chargedAtMs: number
  /** The amount that the acquirer has returned of this payment before. */
  readonly returnedBeforeMinor: MinorUnits
  readonly amountMinor: MinorUnits
}

/** Why money is not returned. */
export type ReturnRefusalReason =
  | 'too_late'
  /** More than the rest of the payment. */
  | 'amount_exceeds_payment'
  /** The acquirer's debt to the store doesn't cover it. */
  | 'balance_too_low'
  | 'payment_not_found'
  /** The contract does not allow it. */
  | 'not_enabled'
  /** It was captured meanwhile, and only an authorization was to be undone. */
  | 'captured'
  | 'other'

/** An acquirer's decision about a return of money. */
export type ReturnDecision =
  | {
      /** `in_process`: accepted; a notice or a look-up brings its end. */
      readonly state: 'done' | 'in_process'
      /** The acquirer's id of the return, if it has one. */
      readonly returnId: string | undefined
    }
  | {
      readonly state: 'refused'
      readonly reason: ReturnRefusalReason
      /** The acquirer's own code. */
      readonly code: string | undefined
      /** One redacted line for an operator. */
      readonly detail: string
    }
  /** Not possible yet; the next request is a first attempt. */
  | { readonly state: 'too_early'; readonly detail: string; readonly retryAfterMs: number }

export interface FindRequest {
  readonly key: PaymentKey
  /** Undefined if its answer never arrived. */
  readonly paymentId: string | undefined
  readonly amountMinor: MinorUnits
  /** For the decline's code. */
  readonly brand: string
  /** `later`: all other calls of the account come first. */
  readonly urgency?: 'later' | undefined
}

/** A payment in its acquirer's records. An absent one may still arrive. */
export interface FoundPayment {
  readonly state:
    | 'approved'
    /** Authorized, not captured: a capture or a cancel can follow. */
    | 'authorized'
    | 'declined'
    | 'pending'
    /** Cancelled or refunded in full. */
    | 'returned'
  readonly payment: AcquirerPayment
  readonly decline: Decline | undefined
  readonly returnedMinor: MinorUnits
  /** Absent if the acquirer doesn't state it. Kept when a captured payment is returned. */
  readonly capturedMinor?: MinorUnits | undefined
  /** Further charges under the same key, by their ids: each must be cancelled. */
  readonly surplus: readonly string[]
  readonly disputes: readonly FoundDispute[]
}

export interface FoundDispute {
  readonly disputeId: string
  readonly amountMinor: MinorUnits
  readonly reason: string | undefined
  /** The acquirer's own term. */
  readonly status: string | undefined
  /** The store has its money back. */
  readonly isReversed: boolean
}
