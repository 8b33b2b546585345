// The way to the card networks: what the vault asks an acquirer, and what may become of it.
import type {
  AuthenticationAction,
  CardDetails,
  Decline,
  Environment,
  MinorUnits,
  Secret,
  ThreeDSecureResult,
} from '@cofre/contracts'

/**
 * One store's contract with one acquirer. Each call is one attempt: it never rejects for what the
 * acquirer or the network does, and may be made again under the same key without charging or
 * returning money twice. Calls for one payment are made one after the other, also by several
 * processes.
 */
export interface Acquirer {
  /** Charges a card: authorized and captured in one step. Answers within 15 s. */
  authorize(request: AuthorizeRequest): Promise<AuthorizeResult>
  /**
   * Charges what was answered `authenticate`, with what the payer has brought back. Absent where no
   * charge is answered so.
   */
  readonly completeAuthentication?: (request: CompletionRequest) => Promise<CompletionResult>
  /** Undoes a whole payment, whether it was captured or not. */
  cancel(request: CancelRequest): Promise<ReturnResult>
  /** Returns a part of a captured payment, or all of it. */
  refund(request: RefundRequest): Promise<ReturnResult>
  /** What the acquirer has under a key. Absent where it cannot be read: then its notices decide. */
  readonly find?: (request: FindRequest) => Promise<FindResult>
  /** Ends idle connections; calls under way are finished. */
  close(): Promise<void>
}

/** Names one payment at its acquirer, the same each time. */
export interface PaymentKey {
  /**
   * One to eight lowercase letters and digits that tell this installation from others which use the
   * same contract: a copy of a database must not find the payments of its original.
   */
  readonly installation: string
  readonly environment: Environment
  /** The transaction's code: unique in its environment. */
  readonly transactionCode: string
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

/** The brands want to know when a card is saved, and when a saved one is charged. */
export interface StoredCredential {
  readonly use: 'first' | 'later'
  /** For charges that follow by agreement, without their payer. */
  readonly isSubscription: boolean
  /** Of the first use, also with another acquirer. */
  readonly networkTransactionId: string | undefined
}

/** How the acquirer knows a payment. What it does not tell is undefined. */
export interface AcquirerPayment {
  readonly paymentId: string
  readonly nsu: string | undefined
  readonly authorizationCode: string | undefined
  readonly eci: string | undefined
  /** To be handed back when the same card is charged later. */
  readonly networkTransactionId: string | undefined
}

export type AuthorizeResult =
  | {
      readonly kind: 'approved'
      readonly payment: AcquirerPayment
      /** Further charges under the same key, by their names: each is to be cancelled. */
      readonly surplus: readonly string[]
    }
  | {
      readonly kind: 'declined'
      readonly decline: Decline
      /** Undefined when the acquirer refused before it made a payment of it. */
      readonly payment: AcquirerPayment | undefined
    }
  /** The acquirer decides later. Ask again or wait for its word, as after an unknown outcome. */
  | { readonly kind: 'pending' | 'review'; readonly payment: AcquirerPayment }
  /**
   * The card's bank wants its holder first: nothing is charged without that. What names the payment
   * comes with its end.
   */
  | { readonly kind: 'authenticate'; readonly action: AuthenticationAction }
  | NotDone
  | UnknownCharge

export interface CompletionRequest extends Pick<AuthorizeRequest, 'key' | 'brand' | 'amountMinor'> {
  /** With the same result. */
  readonly earlier: EarlierAttempts | undefined
  /** Anybody may have made it up, or taken it from another payment. */
  readonly result: Secret<string>
}

/** Where it is not done for the result's sake, `request_refused`, the payment waits as before. */
export type CompletionResult = Exclude<AuthorizeResult, { kind: 'authenticate' }>

/** Why something was certainly not done. */
export type NotDoneReason =
  | 'no_connection'
  | 'credentials_refused'
  /** Calls too often, or the acquirer asks for a pause. */
  | 'paused'
  /** The acquirer finds the request or the account's settings wrong, whatever the card. */
  | 'request_refused'
  /** Not yet: see `retryAfterMs`. */
  | 'too_early'

/**
 * Certainly not done, neither by this call nor by those before it. Another account may be asked;
 * the same one again is a first attempt.
 */
export interface NotDone {
  readonly kind: 'not_done'
  readonly reason: NotDoneReason
  /** One redacted line for an operator. */
  readonly detail: string
  /** Before that a further call is pointless. */
  readonly retryAfterMs?: number
}

/** Nobody knows. Ask again under the same key, and no other account. */
export interface UnknownOutcome {
  readonly kind: 'unknown'
  /** One redacted line for an operator. */
  readonly detail: string
  readonly retryAfterMs?: number
  /**
   * Since when the acquirer has known nothing of what earlier attempts asked for; this call asked
   * for nothing. To be handed to the next one.
   */
  readonly absentSinceMs?: number
}

/** A charge that may have been made, and that its acquirer may have named already. */
export interface UnknownCharge extends UnknownOutcome {
  readonly payment?: AcquirerPayment
}

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

export type ReturnResult =
  | {
      readonly kind: 'done'
      /** The acquirer's name for it, where it has one. */
      readonly returnId: string | undefined
    }
  /** Accepted; its end comes as a notice, or is found. */
  | { readonly kind: 'in_process'; readonly returnId: string | undefined }
  | {
      readonly kind: 'refused'
      readonly reason: ReturnRefusalReason
      /** The acquirer's own code. */
      readonly code: string | undefined
      /** One redacted line for an operator. */
      readonly detail: string
    }
  | NotDone
  | UnknownOutcome

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

export type FindResult =
  | { readonly kind: 'found'; readonly found: FoundPayment }
  /** Nothing under that key at present; a request on its way may still arrive. */
  | { readonly kind: 'absent' }
  | NotDone
  | UnknownOutcome

/** A payment as its acquirer has it. */
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
