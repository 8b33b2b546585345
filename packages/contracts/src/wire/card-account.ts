// A store's accounts with acquirers: the vault stores them, the gateway shows them.
import { z } from 'zod'
import type { Environment } from '../value/environment.js'

const testSchema = z.strictObject({ atMs: z.int(), failure: z.string().optional() })

const cardAccountSchema = z.strictObject({
  id: z.string(),
  /** The acquirer's name, `adyen`. */
  provider: z.string(),
  kind: z.enum(['live', 'test', 'simulator']),
  /** Name for people. */
  label: z.string(),
  /** True if new charges may use it, because some order of the store's accounts names it. */
  isOrdered: z.boolean(),
  /** Brands that it charges. */
  brands: z.array(z.string()).readonly(),
  certificateUntilMs: z.int().optional(),
  lastTest: testSchema.optional(),
  disabledAtMs: z.int().optional(),
})
/** A store's account with an acquirer, without its credentials or settings. */
export type CardAccount = Readonly<z.output<typeof cardAccountSchema>>

export const cardAccountsSchema = z.strictObject({ accounts: z.array(cardAccountSchema) })

/** Reads the vault's accounts. The vault implements it, in process or over HTTP. */
export interface CardAccounts {
  /** The store's accounts, oldest first, including disabled ones. */
  cardAccounts(environment: Environment, storeId: string): Promise<readonly CardAccount[]>
}
