import type { CardAnswer, CardOrder, Environment } from '@cofre/contracts'

/** Card charges, as the gateway needs them. Filled by the vault, in process or over HTTP; no card number comes back. */
export interface CardPayments {
  /**
   * Charges a card at most once per environment and transaction code: asked again, it gives the same answer.
   * A rejected promise means that the outcome is unknown.
   */
  authorize(order: CardOrder): Promise<CardAnswer>
  /**
   * What became of an order whose answer was lost. Undefined when it never arrived: it is refused from then on, and its
   * transaction may be given up.
   */
  recallAuthorization(
    environment: Environment,
    transactionCode: string,
  ): Promise<CardAnswer | undefined>
  /**
   * Makes the card that the transaction saved usable. Harmless when it saved none, or is asked again. A card that was not saved
   * yet, because the outcome is unknown, is not activated: recall the order first.
   */
  activateSavedCard(environment: Environment, transactionCode: string): Promise<void>
}
