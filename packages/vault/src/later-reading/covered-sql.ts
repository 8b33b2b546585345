// Accounts with files of payouts without a gap. These files list chargebacks, too.
import { type CoveredDays, DAY_MS, type Environment, HOUR_MS } from '@cofre/contracts'
import type { VaultConnection } from '../database/vault-database.js'
import type { ChargeToRead } from './reading-sql.js'

/** Stores a gateway's report, for accounts of its own environment. */
export async function coverAccounts(
  trx: VaultConnection,
  { environment, accounts }: { environment: Environment; accounts: readonly CoveredDays[] },
  nowMs: number,
): Promise<void> {
  for (const { accountId, fromMs, untilMs } of accounts) {
    const own = await trx
      .selectFrom('accounts')
      .select('id')
      .where((of) => of.and({ id: accountId, environment }))
      .executeTakeFirst()
    if (own === undefined) continue
    const columns = { from_ms: fromMs, until_ms: untilMs, told_at_ms: nowMs }
    await trx
      .insertInto('covered_accounts')
      .values({ account_id: accountId, ...columns })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
      .execute()
  }
}

/** A gateway repeats its report every hour. An older one may no longer be true. */
const REPORT_VALID_MS = 3 * HOUR_MS

export async function coveredDaysOf(
  reader: VaultConnection,
  accountId: string,
  nowMs: number,
): Promise<CoveredDays | undefined> {
  const row = await reader
    .selectFrom('covered_accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const holds = row !== undefined && Math.abs(nowMs - row.told_at_ms) < REPORT_VALID_MS
  return holds ? { accountId, fromMs: row.from_ms, untilMs: row.until_ms } : undefined
}

/** True if the files cover a charge, from its approval up to the day of its reading. */
export function isCovered(
  { approvedAtMs }: Pick<ChargeToRead, 'approvedAtMs'>,
  covered: CoveredDays | undefined,
  stepDays: number,
): boolean {
  if (covered === undefined) return false
  const dueAtMs = approvedAtMs + stepDays * DAY_MS
  return covered.fromMs <= approvedAtMs && dueAtMs < covered.untilMs
}
