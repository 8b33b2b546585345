import { type RawBuilder, sql } from 'kysely'

/** The account at whose bank a transaction is paid; null if it is paid elsewhere. */
export function accountOf(
  code: `${string}.transaction_code` | 'transactions.code',
): RawBuilder<string | null> {
  return sql`(select bank_charges.account_id from bank_charges
    where bank_charges.transaction_code = ${sql.ref(code)})`
}

/** The same, or the store if it is paid elsewhere: only the vault knows at which account. */
export function laneOf(table: 'refunds' | 'transactions'): RawBuilder<string> {
  const code = table === 'refunds' ? 'refunds.transaction_code' : 'transactions.code'
  return sql`coalesce(${accountOf(code)}, ${sql.ref(`${table}.merchant_id`)})`
}

/** An item of due work, and the lane that it may block. */
export type InLane<Item> = Item & { readonly lane: string | undefined }
