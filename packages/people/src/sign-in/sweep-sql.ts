import { DAY_MS, HOUR_MS } from '@cofre/contracts'
import type { SessionDeps } from './session-sql.js'

const EVERY_MS = HOUR_MS
const LINK_RETENTION_MS = 30 * DAY_MS
const FAILURE_RETENTION_MS = DAY_MS
const FAILURES_MAX = 1_000_000
const BROWSER_RETENTION_MS = 90 * DAY_MS

/**
 * Deletes expired sessions, links, challenges and failures, and browsers without recent use. Runs
 * once an hour, however often it is called.
 */
export function createSqlSweep({ database, clock }: SessionDeps): () => Promise<void> {
  let lastMs: number | undefined
  return async () => {
    const nowMs = clock.now()
    if (lastMs !== undefined && Math.abs(nowMs - lastMs) < EVERY_MS) return
    await database.transact(async (trx) => {
      await trx.deleteFrom('console_sessions').where('expires_at', '<=', nowMs).execute()
      await trx.deleteFrom('console_challenges').where('expires_at', '<=', nowMs).execute()
      await trx
        .deleteFrom('console_links')
        .where('expires_at', '<=', nowMs - LINK_RETENTION_MS)
        .execute()
      await trx
        .deleteFrom('known_browsers')
        .where('used_at', '<=', nowMs - BROWSER_RETENTION_MS)
        .execute()
      await trx
        .deleteFrom('sign_in_failures')
        .where('last_at', '<=', nowMs - FAILURE_RETENTION_MS)
        .execute()
      // Bounded, so that a guesser with many addresses and names cannot fill the disk.
      await trx
        .deleteFrom('sign_in_failures')
        .where('last_at', '<', (kept) =>
          kept
            .selectFrom('sign_in_failures')
            .select('last_at')
            .orderBy('last_at', 'desc')
            .limit(1)
            .offset(FAILURES_MAX),
        )
        .execute()
    })
    lastMs = nowMs
  }
}
