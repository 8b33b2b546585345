// The way to the card networks: what the vault asks an acquirer, and what may become of it.
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
 * One store's contract with one acquirer. Each call is one attempt: it never rejects for what the
 * acquirer or the network does, and may be made again under the same key without charging or
 * returning money twice. Calls for one payment are made one after the other, also by several
 * processes.
 */
export interface Acquirer {
  /** Charges a card: authorized and captured in one step. Answers within 15 s. */
  authorize(request: AuthorizeRequest): Promise<AcquirerAnswer<ChargeDecision>>
  /**
   * Charges what was answered `authenticate`, with what the payer has brought back. Absent where no
   * charge is answered so.
   */
  readonly completeAuthentication?: (
    request: CompletionRequest,
  ) => Promise<AcquirerAnswer<CompletedCharge>>
  /** Undoes a whole payment, whether it was captured or not. */
  cancel(request: CancelRequest): Promise<AcquirerAnswer<ReturnDecision>>
  /** Returns a part of a captured payment, or all of it. */
  refund(request: RefundRequest): Promise<AcquirerAnswer<ReturnDecision>>
  /** What the acquirer has under a key. Absent where it cannot be read: then its notices decide. */
  readonly find?: (request: FindRequest) => Promise<AcquirerAnswer<FoundPayment>>
  /** Ends idle connections; calls under way are finished. */
  close(): Promise<void>
}

/**
 * What became of something that an acquirer was asked for. Refused and not sent are certain: it was
 * done neither by this call nor by those before it. Another account may be asked; the same one
 * again is a first attempt. After an unknown answer, the same account is asked again under the same
 * key, and no other.
 */
export type AcquirerAnswer<T> = Answer<T, Doubt>

/** Why nobody knows, and what is known all the same. */
export interface Doubt extends UnknownAnswer {
  /**
   * Since when the acquirer has known nothing of what earlier attempts asked for; this call asked
   * for nothing. To be handed to the next one.
   */
  readonly absentSinceMs?: number
  /** A charge that may have been made, where its acquirer has named it. */
  readonly payment?: AcquirerPayment
  /** Set where no answer came: the call has failed here, or may still be under way. */
  readonly unanswered?: 'failed' | 'under-way'
}

/** Whether it was certainly not done. */
export function isNotDone(
  answer: AcquirerAnswer<unknown>,
): answer is RefusedAnswer | NotSentAnswer {
  return answer.kind === 'refused' || answer.kind === 'not-sent'
}

/**
 * What was asked before under the same key with an outcome that is not known. The vault commits it
 * before each call.
 */
export interface EarlierAttempts {
  /** When the first of them began. */
  readonly firstAtMs: number
  /**
   * From the answer to the call just before. An answer without it forgets it, and so does a call
   * without an answer: it may have reached the acquirer.
   */
  readonly absentSinceMs: number | undefined
}

/** A card as the acquirer gets it. A saved card has no CVV. */
export type CardToCharge = Omit<CardDetails, 'cvv'> & Partial<Pick<CardDetails, 'cvv'>>

export interface AuthorizeRequest {
  readonly key: PaymentKey
  /** Undefined for the first attempt alone: one that may have left is never first again. */
  readonly earlier: EarlierAttempts | undefined
  readonly card: Secret<CardToCharge>
  /** As `CARD_BRANDS` names it. */
  readonly brand: string
  /** What the card is charged, interest included. */
  readonly amountMinor: MinorUnits
  readonly installments: number
  readonly payer: CardPayer
  readonly storedCredential: StoredCredential | undefined
  readonly threeDSecure: ThreeDSecureResult | undefined
  /** It is paid at a payment link. */
  readonly isFromLink?: true | undefined
  /** Where the payer comes back to; without it nothing is answered `authenticate`. */
  readonly authenticationReturnUrl?: string | undefined
}

export interface CardPayer {
  /** Stands for the holder's. */
  readonly name: string
  /** CPF or CNPJ without punctuation. */
  readonly document: string | undefined
  readonly email: string | undefined
  readonly ip: string | undefined
}

/**
 * How a brand knows a charge, as its acquirer returned it. Later charges of the same card refer to
 * it, also at another acquirer.
 */
export interface BrandIds {
  /** Of most brands: Mastercard's Trace ID, Visa's Transaction ID. */
  readonly networkTransactionId: string | undefined
  /** Mastercard's Transaction Link Identifier (TLID). */
  readonly transactionLinkId?: string | undefined
}

/**
 * The brands want to know when a card is saved, and when a saved one is charged. Its own ids are
 * those of the first use; a connector sends these or the newest, as its acquirer wants.
 */
export interface StoredCredential extends BrandIds {
  readonly use: 'first' | 'later'
  /** For charges that follow by agreement, without their payer. */
  readonly isSubscription: boolean
  /** Of the most recent use, as far as that is known. */
  readonly newest?: BrandIds | undefined
}

/** How the acquirer knows a payment. What it does not tell is undefined. */
export interface AcquirerPayment extends BrandIds {
  readonly paymentId: string
  readonly nsu: string | undefined
  readonly authorizationCode: string | undefined
  readonly eci: string | undefined
}

/** What an acquirer decided about a charge. */
export type ChargeDecision =
  | {
      readonly outcome: 'approved'
      readonly payment: AcquirerPayment
      /** Further charges under the same key, by their names: each is to be cancelled. */
      readonly surplus: readonly string[]
    }
  | {
      readonly outcome: 'declined'
      readonly decline: Decline
      /** Undefined when the acquirer refused before it made a payment of it. */
      readonly payment: AcquirerPayment | undefined
    }
  /** The acquirer decides later. Ask again or wait for its word, as after an unknown outcome. */
  | { readonly outcome: 'pending' | 'review'; readonly payment: AcquirerPayment }
  /**
   * The card's bank wants its holder first: nothing is charged without that. What names the payment
   * comes with its end.
   */
  | { readonly outcome: 'authenticate'; readonly action: AuthenticationAction }

export interface CompletionRequest extends Pick<AuthorizeRequest, 'key' | 'brand' | 'amountMinor'> {
  /** With the same result. */
  readonly earlier: EarlierAttempts | undefined
  /** Anybody may have made it up, or taken it from another payment. */
  readonly result: Secret<string>
}

/** Refused for the result's sake, the payment waits as before. */
export type CompletedCharge = Exclude<ChargeDecision, { outcome: 'authenticate' }>

export interface CancelRequest {
  readonly key: PaymentKey
  readonly earlier: EarlierAttempts | undefined
  /** Undefined when its answer never arrived: then it is found by its key. */
  readonly paymentId: string | undefined
  /** What was charged. */
  readonly chargedMinor: MinorUnits
  /** When it was asked for: some acquirers undo a captured payment from the next day. */
  readonly chargedAtMs: number
}

export interface RefundRequest {
  readonly key: PaymentKey
  readonly earlier: EarlierAttempts | undefined
  /** Digits: unique in the environment. */
  readonly refundId: string
  readonly paymentId: string
  readonly chargedMinor: MinorUnits
  readonly chargedAtMs: number
  /** What the acquirer has returned of this payment before. */
  readonly returnedBeforeMinor: MinorUnits
  readonly amountMinor: MinorUnits
}

/** Why money does not go back. */
export type ReturnRefusalReason =
  | 'too_late'
  /** More than is left of the payment. */
  | 'amount_exceeds_payment'
  /** What the acquirer owes the store does not cover it. */
  | 'balance_too_low'
  | 'payment_not_found'
  /** The contract does not allow it. */
  | 'not_enabled'
  | 'other'

/** What an acquirer decided about money that is to go back. */
export type ReturnDecision =
  | {
      /** `in_process`: accepted; its end comes as a notice, or is found. */
      readonly state: 'done' | 'in_process'
      /** The acquirer's name for it, where it has one. */
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
  /** It does not do it before; asked again, it is a first attempt. */
  | { readonly state: 'too_early'; readonly detail: string; readonly retryAfterMs: number }

export interface FindRequest {
  readonly key: PaymentKey
  /** Undefined when its answer never arrived. */
  readonly paymentId: string | undefined
  readonly amountMinor: MinorUnits
  /** For the decline's code. */
  readonly brand: string
  /** `later`: all other calls of the account come first. */
  readonly urgency?: 'later' | undefined
}

/** A payment as its acquirer has it. One that is absent may still be on its way. */
export interface FoundPayment {
  readonly state:
    | 'approved'
    /** Authorized, not captured: it can be captured or cancelled. */
    | 'authorized'
    | 'declined'
    | 'pending'
    /** Nothing of it is left: cancelled or refunded. */
    | 'returned'
  readonly payment: AcquirerPayment
  readonly decline: Decline | undefined
  readonly returnedMinor: MinorUnits
  /** Further charges under the same key, by their names: each is to be cancelled. */
  readonly surplus: readonly string[]
  readonly disputes: readonly FoundDispute[]
}

export interface FoundDispute {
  readonly disputeId: string
  readonly amountMinor: MinorUnits
  readonly reason: string | undefined
  /** The acquirer's own word. */
  readonly status: string | undefined
  /** The store has its money again. */
  readonly isReversed: boolean
}
