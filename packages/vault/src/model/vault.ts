import type {
  CardAccounts,
  CardFields,
  CardPayments,
  CardReturns,
  Environment,
  FieldSettings,
  SessionAnswer,
  ThreeDSecureResult,
} from '@cofre/contracts'
import type { DueWork } from '@cofre/work'

/** What became of one part of a notice. */
export type NoticeFate =
  | 'applied'
  /** The answer to what was asked for is still on its way: it is applied after that. */
  | 'early'
  /** It changes nothing, unless another event of its charge explains it. */
  | 'contradicting'
  /** Reported before. */
  | 'double'
  /** Its signature is wrong: mended settings may make it right. */
  | 'forged'
  /** Rightly signed, and of a merchant account that no account here has. */
  | 'elsewhere'
  /** About nothing that this account was asked for. */
  | 'foreign'
  /** Named as Cofre names its payments, and not known here, or long over, or one too many. */
  | 'unknown_charge'
  /** Unsigned: its payment will be found at the acquirer. */
  | 'hint'
  /** Not of the provider's form. */
  | 'unread'

/** Who may show a store's card fields, and what of them. */
export type ShownFields = Pick<FieldSettings, 'origins' | 'showsBin'>

/** What a vault erases, forgets and chains, in the log. */
export type Upkeep =
  | 'audit chain'
  | 'direct tokens'
  | 'foreign notices'
  | 'old cards'
  | 'old charges'
  | 'old declines'
  | 'sessions'
  | 'spent data keys'
  | 'unheard charges'

/** What a vault does about charges that no gateway asks for, in the log. */
export type FollowUp =
  | 'authentications'
  | 'cancels'
  | 'early events'
  | 'endings of charges'
  | 'later readings'
  | 'looks at charges'
  | 'refunds'

/** How many expired things a sweep forgot. */
export interface Swept {
  readonly sessions: number
  readonly directTokens: number
}

/** How much a vault holds. */
export interface VaultCensus {
  /** Open sessions; of this process only, where sessions are in memory. */
  readonly sessions: number
  /** Deposited cards that wait for their authorization. */
  readonly directTokens: number
  readonly savedCards: number
  /** Since when the oldest card waits, with its CVV, for the outcome of its order. */
  readonly openCardSinceMs: number | undefined
  /** Charges that were first asked for more than a week ago, and whose outcome is not known. */
  readonly undecidedCharges: Readonly<Record<Environment, number>>
  /** Payments that nobody wants whose cancel was refused, or is not done after a day. */
  readonly openCancels: Readonly<Record<Environment, number>>
  /** Refunds that were asked for more than three days ago and have not ended. */
  readonly slowRefunds: Readonly<Record<Environment, number>>
  /** Changes that were given again and again, and that no gateway can apply. */
  readonly heldChanges: Readonly<Record<Environment, number>>
  /** Approved a day ago at acquirers that cannot be read, without a notice since. */
  readonly unheardCharges: Readonly<Record<Environment, number>>
  /** Since when the oldest of the other changes waits that no gateway has acknowledged. */
  readonly oldestChangeAtMs: Readonly<Record<Environment, number | undefined>>
}

/**
 * Keeps cards and has them charged. Nothing it answers, throws or logs holds a card number or a
 * CVV.
 */
export interface Vault extends Required<CardPayments>, CardReturns, CardFields, CardAccounts {
  /** Opens a session: a key that one direct token may be encrypted to. */
  openSession(): Promise<SessionAnswer>
  /**
   * Takes the card out of a direct token and erases the key that opens it. The same token deposited
   * again changes nothing.
   * @throws ApiError `direct_token_invalid`, `session_not_found`, `card_invalid`
   */
  depositDirectToken(token: string): Promise<void>
  /**
   * Which pages may show the card fields of a store, of either environment: a page cannot know
   * which one will charge its token. They may be shown the BIN where each environment that has
   * origins allows it. A store that is not known has no origins.
   */
  fieldSettingsOf(storeId: string): Promise<ShownFields>
  /** Whether an address at which a notice arrived is that account's own. */
  expectsNotice(accountId: string, secret: string): Promise<boolean>
  /**
   * Takes what arrived at the notice address of an account, which {@link expectsNotice} knows:
   * anybody may have sent it. Answers what became of each part of it, for a metric.
   */
  takeNotice(accountId: string, body: unknown): Promise<readonly NoticeFate[]>
  /**
   * Opens what a gateway in another process has sealed for one order, and erases the key that opens
   * it; undefined when that is gone, or it was sealed for another order.
   */
  openThreeDSecure(
    sealed: string,
    order: { readonly environment: Environment; readonly transactionCode: string },
  ): Promise<ThreeDSecureResult | undefined>
  /** Forgets a saved card; false when the store has none with this code. */
  deleteSavedCard(environment: Environment, merchantId: string, code: string): Promise<boolean>
  /** What a process does for it every minute or so; {@link sweep} does it once. */
  readonly upkeep: readonly DueWork<Upkeep>[]
  /** What a process does for it every second or so; {@link followUpCharges} does it once. */
  readonly followUp: readonly DueWork<FollowUp>[]
  /**
   * Forgets expired sessions and direct tokens, cards whose outcome has been unknown for a day,
   * declines that count no more, and what was heard of charges that are over; chains the audit log.
   * Call it every minute or so, from any number of processes.
   */
  sweep(): Promise<Swept>
  /**
   * Asks acquirers for what no gateway asks: finds or cancels charges whose card is erased or whose
   * payer does not come back from the card's bank, cancels payments that are too many, asks after
   * refunds, and finds what hints were about. Call it every second or so, from any number of
   * processes.
   */
  followUpCharges(): Promise<void>
  /** Counts what it holds; for an operator's eyes, not for every request. */
  census(): Promise<VaultCensus>
  /** Wraps every data key by the ring's first key. Returns how many it rewrapped. */
  rewrapDataKeys(): Promise<number>
}
