// Reports about charges are removed once the charges can't change any more.
import { ENVIRONMENTS, type Environment } from '@cofre/contracts'
import { type Expression, type SqlBool, expressionBuilder } from 'kysely'
import { FOLLOWED_FOR_MS } from '../authorization/card-charge.js'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'

const AT_ONCE = 200

/** A charge with a row in any of these has an event or a change. */
const TABLES = [
  'card_events',
  'card_changes',
  'card_captures',
  'card_returns',
  'card_looks',
] as const

/** Removes some of the reports about charges that are over. The charges themselves stay. */
export async function forgetExpired(database: VaultDatabase, nowMs: number): Promise<void> {
  const beforeMs = nowMs - FOLLOWED_FOR_MS
  for (const environment of ENVIRONMENTS) {
    const codes = await expiredCodes(database.reader, environment, beforeMs)
    if (codes.length === 0) continue
    await database.transact(async (trx) => {
      for (const table of TABLES)
        await trx
          .deleteFrom(table)
          .where('environment', '=', environment)
          .where('transaction_code', 'in', codes)
          .execute()
    })
  }
}

async function expiredCodes(
  reader: VaultConnection,
  environment: Environment,
  beforeMs: number,
): Promise<readonly number[]> {
  const events = await reader
    .selectFrom('card_events')
    .select('transaction_code')
    .where('environment', '=', environment)
    .where('received_at_ms', '<', beforeMs)
    .where(isForgettable('card_events', beforeMs))
    .limit(AT_ONCE)
    .execute()
  const changes = await reader
    .selectFrom('card_changes')
    .select('transaction_code')
    .where('environment', '=', environment)
    .where('acknowledged_at_ms', '<', beforeMs)
    .where(isForgettable('card_changes', beforeMs))
    .limit(AT_ONCE)
    .execute()
  return [...new Set([...events, ...changes].map((row) => row.transaction_code))]
}

type RetainedTable = 'card_events' | 'card_changes'

const of = expressionBuilder<VaultTables, RetainedTable>()

/** Its charge is over, none of its refunds is open, and its gateway knows all changes. */
function isForgettable(heard: RetainedTable, beforeMs: number): Expression<SqlBool> {
  const code = `${heard}.transaction_code` as const
  const environment = `${heard}.environment` as const
  return of.and([
    of.exists(
      of
        .selectFrom('card_charges')
        .select('card_charges.state')
        .whereRef('card_charges.transaction_code', '=', code)
        .whereRef('card_charges.environment', '=', environment)
        .where('card_charges.ended_at_ms', '<', beforeMs),
    ),
    of.not(
      of.exists(
        of
          .selectFrom('card_returns')
          .select('card_returns.state')
          .whereRef('card_returns.transaction_code', '=', code)
          .whereRef('card_returns.environment', '=', environment)
          .where('card_returns.ended_at_ms', 'is', null),
      ),
    ),
    of.not(
      of.exists(
        of
          .selectFrom('card_changes as untold')
          .select('untold.id')
          .whereRef('untold.transaction_code', '=', code)
          .whereRef('untold.environment', '=', environment)
          .where('untold.acknowledged_at_ms', 'is', null),
      ),
    ),
  ])
}
