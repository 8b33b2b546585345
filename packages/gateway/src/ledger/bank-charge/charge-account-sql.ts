import { type RawBuilder, sql } from 'kysely'

/** The account at whose bank a transaction is paid; null where it is paid elsewhere. */
export function accountOf(
  code: 'payment_link_tries.transaction_code' | 'refunds.transaction_code' | 'transactions.code',
): RawBuilder<string | null> {
  return sql`(select pix_charges.account_id from pix_charges
    where pix_charges.transaction_code = ${sql.ref(code)})`
}

/** An item of due work, and the account whose bank it may wait for. */
export type AtBank<Item> = Item & { readonly bankAccountId: string | undefined }
