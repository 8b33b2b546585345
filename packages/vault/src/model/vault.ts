import type { CardAnswer, CardOrder, Environment, SessionAnswer } from '@cofre/contracts'

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
}

/** Keeps cards and charges them. No answer, error or log holds a card number or a CVV. */
export interface Vault {
  /** Opens a session: a key that one direct token may be encrypted to. */
  openSession(): Promise<SessionAnswer>
  /**
   * Takes the card out of a direct token and erases the key that opens it. The same token deposited
   * again changes nothing.
   * @throws ApiError `direct_token_invalid`, `session_not_found`, `card_invalid`
   */
  depositDirectToken(token: string): Promise<void>
  /**
   * Has an order authorized by the acquirer, at most once. The same environment and transaction
   * code get the same answer, and are asked for again under the same key while the outcome is
   * unknown. Another order under that key, of another store, amount or number of installments, is
   * refused. A refusal spends nothing, and leaves nothing but its entry in the audit log.
   */
  authorize(order: CardOrder): Promise<CardAnswer>
  /**
   * What became of an order whose answer was lost, asked for again while it is unknown. Undefined
   * when it never arrived: it is refused from then on.
   */
  recallAuthorization(
    environment: Environment,
    transactionCode: string,
  ): Promise<CardAnswer | undefined>
  /** Call it when a transaction is complete: the card that it saved may be used from then on. */
  activateSavedCard(environment: Environment, transactionCode: string): Promise<void>
  /** Forgets a saved card; false when the store has none with this code. */
  deleteSavedCard(environment: Environment, merchantId: string, code: string): Promise<boolean>
  /**
   * Forgets expired sessions and direct tokens, and chains the audit log. Call it every minute or
   * so, from any number of processes.
   */
  sweep(): Promise<Swept>
  /** Counts what it holds; for an operator's eyes, not for every request. */
  census(): Promise<VaultCensus>
  /** Wraps every data key by the ring's first key. Returns how many it rewrapped. */
  rewrapDataKeys(): Promise<number>
}
