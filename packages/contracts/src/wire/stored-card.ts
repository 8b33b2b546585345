// The saved cards that a store may see and delete: the vault keeps them, the gateway shows them.
import { z } from 'zod'
import { LIST_LIMIT_MAX, SAVED_CODE } from '../transaction/limits.js'
import { ENVIRONMENTS, type Environment } from '../value/environment.js'

/** A saved card of a store. */
export const storedCardKeySchema = z.strictObject({
  environment: z.enum(ENVIRONMENTS),
  merchantId: z.string().min(1),
  code: z.string().regex(SAVED_CODE),
})
export type StoredCardKey = Readonly<z.output<typeof storedCardKeySchema>>

export const cardsOfPayerSchema = storedCardKeySchema.omit({ code: true }).extend({
  payerEmail: z.string().min(1),
  /** With the first card of the next page. */
  limit: z
    .int()
    .min(1)
    .max(LIST_LIMIT_MAX + 1),
  /** The last card of the page before. */
  after: z.strictObject({ createdAtMs: z.int(), code: z.string().regex(SAVED_CODE) }).optional(),
})
/** Some cards of a payer of a store. */
export type CardsOfPayer = Readonly<z.output<typeof cardsOfPayerSchema>>

/** Strict, so that an answer has no room for a card number. */
export const storedCardSchema = z.strictObject({
  code: z.string().regex(SAVED_CODE),
  brand: z.string(),
  lastFour: z.string().regex(/^\d{4}$/),
  /** `2030-12` */
  expirationDate: z.string().regex(/^\d{4}-\d{2}$/),
  createdAtMs: z.int(),
  /** The last approved charge at an acquirer; absent without one. */
  lastUsedAtMs: z.int().optional(),
  /** False until its first transaction is complete. */
  isActive: z.boolean(),
})
/** A saved card without its number. */
export type StoredCard = Readonly<z.output<typeof storedCardSchema>>

/** The store's view of its payers' saved cards. Implemented by the vault, in process or by HTTP. */
export interface StoredCards {
  /** Resolves to the payer's cards, the newest first. */
  storedCardsOf(some: CardsOfPayer): Promise<readonly StoredCard[]>
  /** Resolves to undefined if the store has no card of this code. */
  findStoredCard(card: StoredCardKey): Promise<StoredCard | undefined>
  /**
   * Deletes a card for good; false if the store has none with this code. An order that has arrived
   * before is still charged.
   */
  deleteSavedCard(environment: Environment, merchantId: string, code: string): Promise<boolean>
}
