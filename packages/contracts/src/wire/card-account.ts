// What a store's accounts with acquirers are called: the vault keeps them, the gateway shows them.
import { z } from 'zod'
import type { Environment } from '../value/environment.js'

const testSchema = z.strictObject({ atMs: z.int(), failure: z.string().optional() })

const cardAccountSchema = z.strictObject({
  id: z.string(),
  /** The acquirer's name, `adyen`. */
  provider: z.string(),
  kind: z.enum(['live', 'test', 'simulator']),
  /** What people call it. */
  label: z.string(),
  /** Whether new charges are made at it: some order of the store's accounts names it. */
  isOrdered: z.boolean(),
  /** The brands that it charges. */
  brands: z.array(z.string()).readonly(),
  certificateUntilMs: z.int().optional(),
  lastTest: testSchema.optional(),
  disabledAtMs: z.int().optional(),
})
/** A store's account with an acquirer. Nothing of its credentials or settings is in it. */
export type CardAccount = Readonly<z.output<typeof cardAccountSchema>>

export const cardAccountsSchema = z.strictObject({ accounts: z.array(cardAccountSchema) })

/** Which accounts the vault keeps. Filled by the vault, in process or over HTTP. */
export interface CardAccounts {
  /** Those of a store, the oldest first, disabled ones too. */
  cardAccounts(environment: Environment, storeId: string): Promise<readonly CardAccount[]>
}
