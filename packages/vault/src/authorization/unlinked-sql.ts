// Charges of saved cards that were sent without an id that the card's brand wants.
import { DAY_MS, type Environment } from '@cofre/contracts'
import { sql } from 'kysely'
import type { VaultConnection } from '../database/vault-database.js'

export interface UnlinkedCharge {
  readonly environment: Environment
  readonly transactionCode: string
  readonly accountId: string
  readonly brand: string
  readonly sentAtMs: number
}

/** How long a charge is listed. */
export const UNLINKED_FOR_MS: number = 30 * DAY_MS
const LISTED_MAX = 1000

/** The newest such charges of the last 30 days, newest first. */
export async function unlinkedCharges(
  reader: VaultConnection,
  nowMs: number,
): Promise<readonly UnlinkedCharge[]> {
  const rows = await reader
    .selectFrom('card_charges')
    .select((of) => [
      'environment',
      'transaction_code',
      'account_id',
      'first_attempt_at_ms',
      of
        .selectFrom('authorizations')
        .select('authorizations.brand')
        .whereRef('authorizations.transaction_code', '=', 'card_charges.transaction_code')
        .whereRef('authorizations.environment', '=', 'card_charges.environment')
        .as('brand'),
    ])
    // Literal, so that PostgreSQL uses the partial index.
    .where('is_unlinked', '=', sql.lit(1))
    .where('first_attempt_at_ms', '>=', nowMs - UNLINKED_FOR_MS)
    .orderBy('first_attempt_at_ms', 'desc')
    .limit(LISTED_MAX)
    .execute()
  return rows.map((row) => ({
    environment: row.environment,
    transactionCode: String(row.transaction_code),
    accountId: row.account_id,
    brand: row.brand ?? '',
    sentAtMs: row.first_attempt_at_ms,
  }))
}
