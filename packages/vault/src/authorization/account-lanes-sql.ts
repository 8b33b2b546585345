import { type RawBuilder, sql } from 'kysely'

/** Which of what is due is listed. */
export interface DueList {
  readonly nowMs: number
  readonly limit: number
  /** Accounts whose acquirer is waited for already: none of theirs. */
  readonly busy: readonly string[]
}

/** Undefined where the charge is played. */
export interface AtAccount {
  readonly accountId: string | undefined
}

/** Tables with a row for something of a charge. */
type OfCharge = 'card_authentications' | 'card_looks' | 'card_returns'

/** The account that has charged what a row is about; null where a charge is played. */
export function accountOf(table: OfCharge): RawBuilder<string | null> {
  return sql`(select card_charges.account_id from card_charges
    where card_charges.transaction_code = ${sql.ref(`${table}.transaction_code`)}
      and card_charges.environment = ${sql.ref(`${table}.environment`)})`
}
