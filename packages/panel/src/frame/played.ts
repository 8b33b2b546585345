// What rooms' pages show besides where the bank is played.
import type { Refund, Transaction } from '@cofre/gateway/room'
import type { Language } from '@cofre/pages'
import type { Child } from 'hono/jsx'

/** What is shown of refunds. */
export interface PlayedRefunds {
  readonly note: Child
  /** What ends one that is in process. @param name - Of the refund, for a button's name. */
  readonly endings: (refund: Refund, name: string) => Child
}

/** What a payment's page has besides. */
export interface PlayedPayment {
  readonly bank: Child
  readonly requests: Child
  readonly refunds: PlayedRefunds
}

export interface PlayedParts {
  /** What a store without payments is shown. */
  readonly firstPayment: (storeId: string, language: Language) => Promise<Child>
  readonly ofPayment: (storeId: string, transaction: Transaction) => Promise<PlayedPayment>
}
