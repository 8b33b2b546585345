import type {
  CardAccounts,
  CardChecks,
  CardFields,
  CardPayments,
  CardReturns,
  Environment,
  FieldSettings,
  SessionAnswer,
  StoredCards,
  ThreeDSecureResult,
} from '@cofre/contracts'
import type { DueWork } from '@cofre/work'

/** The fate of one part of a notice. */
export type NoticeResult =
  | 'applied'
  /** The answer to a request is still on its way: the event is applied after that. */
  | 'early'
  /** It changes nothing, unless another event of its charge explains it. */
  | 'contradicting'
  /** Reported before. */
  | 'double'
  /** Its signature is wrong; corrected settings may make it right. */
  | 'forged'
  /** Correctly signed, for a merchant account that no account here has. */
  | 'elsewhere'
  /** About a payment that this account was never asked for. */
  | 'foreign'
  /**
   * Named like Cofre's payments, but unknown here, over long ago, or a further payment of its
   * order.
   */
  | 'unknown_charge'
  /** Unsigned: its payment will be looked up at the acquirer. */
  | 'hint'
  /** Not in the provider's form. */
  | 'unread'

/** The origins that may show a store's card fields, and whether they may show the BIN. */
export type ShownFields = Pick<FieldSettings, 'origins' | 'showsBin'>

/** The jobs with which a vault erases, forgets and chains, as the log names them. */
export type Upkeep =
  | 'audit chain'
  | 'direct tokens'
  | 'foreign notices'
  | 'old cards'
  | 'old checks'
  | 'old charges'
  | 'old declines'
  | 'sessions'
  | 'spent data keys'
  | 'unheard charges'

/** A vault's jobs for charges that no gateway requests, as the log names them. */
export type FollowUp =
  | 'authentications'
  | 'cancels'
  | 'captures'
  | 'early events'
  | 'endings of charges'
  | 'later readings'
  | 'looks at charges'
  | 'refunds'

/** The numbers of expired items that a sweep removed. */
export interface Swept {
  readonly sessions: number
  readonly directTokens: number
}

/** The captures, or the voids, of an environment that have not ended. */
export interface OpenCaptures {
  readonly environment: Environment
  readonly operation: 'capture' | 'void'
  readonly count: number
  /** When the oldest was ordered. */
  readonly sinceMs: number
}

export interface VaultCensus {
  /** Open sessions; of this process only, if sessions are in memory. */
  readonly sessions: number
  /** Deposited cards that wait for their authorization. */
  readonly directTokens: number
  readonly savedCards: number
  /** The time since which the oldest card waits, with its CVV, for its order's outcome. */
  readonly openCardSinceMs: number | undefined
  /** Charges that were first requested more than a week ago, and whose outcome is unknown. */
  readonly undecidedCharges: Readonly<Record<Environment, number>>
  /** Unwanted payments whose cancel was refused, or is not done after a day. */
  readonly openCancels: Readonly<Record<Environment, number>>
  /** Captures and voids whose acquirer has not confirmed them; without the kinds that have none. */
  readonly openCaptures: readonly OpenCaptures[]
  /** Refunds that were requested more than three days ago and have not ended. */
  readonly slowRefunds: Readonly<Record<Environment, number>>
  /** Changes that gateways got again and again, and cannot apply. */
  readonly parkedChanges: Readonly<Record<Environment, number>>
  /** Charges approved a day ago at acquirers that cannot be read, without a notice since. */
  readonly unreportedCharges: Readonly<Record<Environment, number>>
  /** Cards saved by a check that were not charged within a day. */
  readonly unchargedCards: Readonly<Record<Environment, number>>
  /** The time since which the oldest other change waits for a gateway's acknowledgement. */
  readonly oldestChangeAtMs: Readonly<Record<Environment, number | undefined>>
}

/**
 * Keeps cards and has them charged. Its answers, errors and logs hold no card number and no CVV.
 */
export interface Vault
  extends Required<CardPayments>, CardReturns, CardFields, CardAccounts, StoredCards, CardChecks {
  /** Opens a session: a key to which one direct token can be encrypted. */
  openSession(): Promise<SessionAnswer>
  /**
   * Decrypts and seals the card of a direct token, and erases the key that opens it. A repeated
   * deposit of the same token changes nothing.
   * @throws ApiError `direct_token_invalid`, `session_not_found`, `card_invalid`
   */
  depositDirectToken(token: string): Promise<void>
  /**
   * The pages that may show a store's card fields, in either environment: a page cannot know which
   * one will charge its token. They may see the BIN if each environment that has origins allows it.
   * An unknown store has no origins.
   */
  fieldSettingsOf(storeId: string): Promise<ShownFields>
  /** True if the address at which a notice arrived is that account's own. */
  expectsNotice(accountId: string, secret: string): Promise<boolean>
  /**
   * Processes a notice at the address of an account, which {@link expectsNotice} has checked: its
   * sender is unknown. Returns the fate of each part, for a metric.
   */
  acceptNotice(accountId: string, body: unknown): Promise<readonly NoticeResult[]>
  /**
   * Opens the 3-DS result that a gateway in another process has sealed for one order, and erases
   * the key that opens it. Undefined if the key is gone, or the result is for another order.
   */
  openThreeDSecure(
    sealed: string,
    order: { readonly environment: Environment; readonly transactionCode: string },
  ): Promise<ThreeDSecureResult | undefined>
  /** The work that a process does for it every minute or so; {@link sweep} does it once. */
  readonly upkeep: readonly DueWork<Upkeep>[]
  /**
   * The work that a process does for it every second or so; {@link followUpCharges} does it once.
   */
  readonly followUp: readonly DueWork<FollowUp>[]
  /**
   * Erases expired sessions and direct tokens, cards whose outcome has been unknown for a day,
   * declines that no longer count, and reports about charges that are over. Chains the audit log.
   * Call it every minute or so, from any number of processes.
   */
  sweep(): Promise<Swept>
  /**
   * Does the work at acquirers that no gateway requests. Finds or cancels charges whose card is
   * erased, or whose payer does not return from the card's bank. Cancels further payments of an
   * order, checks captures and refunds, and looks up the charges of hints. Call it every second or
   * so, from any number of processes.
   */
  followUpCharges(): Promise<void>
  /** Counts what it holds; for operators, not for every request. */
  census(): Promise<VaultCensus>
  /** Wraps every data key by the ring's first key. Returns the number of rewrapped keys. */
  rewrapDataKeys(): Promise<number>
}
