import { type RawBuilder, sql } from 'kysely'

/** The bounds of a list of due items. */
export interface DueList {
  readonly nowMs: number
  readonly limit: number
  /** Accounts whose acquirer is being waited for: their items are left out. */
  readonly busy: readonly string[]
}

/** An item at an account; undefined if its charge is simulated. */
export interface AtAccount {
  readonly accountId: string | undefined
}

/** Tables whose rows belong to a charge. */
type OfCharge = 'card_authentications' | 'card_captures' | 'card_looks' | 'card_returns'

/** The account that charged a row's payment; null if the charge is simulated. */
export function accountOf(table: OfCharge): RawBuilder<string | null> {
  return sql`(select card_charges.account_id from card_charges
    where card_charges.transaction_code = ${sql.ref(`${table}.transaction_code`)}
      and card_charges.environment = ${sql.ref(`${table}.environment`)})`
}
