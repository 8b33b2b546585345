import { DAY_MS } from '@cofre/contracts'
import { dueFirst, isElsewhere } from '@cofre/work'
import { sql } from 'kysely'
import type { DueList } from '../authorization/account-lanes-sql.js'
import type { ChargeKey } from '../authorization/card-charge.js'
import type { VaultConnection } from '../database/vault-database.js'

/** An authorization whose release is to be checked. */
export interface DueRelease {
  readonly key: ChargeKey
  readonly accountId: string
}

/** Longer than any authorization lasts. */
const LONGEST_PAUSE_MS = 32 * DAY_MS

export async function dueReleases(
  reader: VaultConnection,
  { nowMs, limit, busy }: DueList,
): Promise<readonly DueRelease[]> {
  const waiting = reader
    .selectFrom('card_charges')
    .select(['environment', 'transaction_code', 'account_id'])
    // Repeats the condition of the partial index, so that it is used.
    .where('release_check_at_ms', 'is not', null)
    .where(isElsewhere(sql.ref('account_id'), busy))
  const longestMs = LONGEST_PAUSE_MS
  const due = dueFirst(waiting, { at: 'release_check_at_ms', longestMs, nowMs, limit })
  return (await due.execute()).map(({ environment, transaction_code, account_id: accountId }) => ({
    key: { environment, transactionCode: String(transaction_code) },
    accountId,
  }))
}

/** Sets the time of the next check; null if none is needed. */
export async function checkReleaseAt(
  trx: VaultConnection,
  { environment, transactionCode }: ChargeKey,
  atMs: number | null,
): Promise<void> {
  await trx
    .updateTable('card_charges')
    .set({ release_check_at_ms: atMs })
    .where((of) => of.and({ transaction_code: Number(transactionCode), environment }))
    .where('release_check_at_ms', 'is not', null)
    .execute()
}
