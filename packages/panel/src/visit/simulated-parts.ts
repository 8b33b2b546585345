// Content that the sandbox adds to the pages of rooms.
import type { Refund, Transaction } from '@cofre/gateway/room'
import type { Language } from '@cofre/pages'
import type { Child } from 'hono/jsx'

/** Content beside refunds. */
export interface SimulatedRefunds {
  readonly note: Child
  /**
   * Buttons that end a refund in process.
   * @param name - The refund's name, for a button's label.
   */
  readonly endings: (refund: Refund, name: string) => Child
}

/** Content of a payment's page. */
export interface SimulatedPayment {
  readonly bank: Child
  readonly requests: Child
  readonly refunds: SimulatedRefunds
}

export interface SimulatedParts {
  /** Content for a store without payments. */
  readonly firstPayment: (storeId: string, language: Language) => Promise<Child>
  readonly ofPayment: (storeId: string, transaction: Transaction) => Promise<SimulatedPayment>
}
