// Approved charges without a notice, of acquirers that cannot be read.
import { DAY_MS, type Environment } from '@cofre/contracts'
import { forgetAll } from '@cofre/work'
import { type Expression, type SqlBool, expressionBuilder } from 'kysely'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { byEnvironment } from '../model/by-environment.js'
import type { ChargeToRead } from './reading-sql.js'

/** A charge that was approved a day ago, and has had no notice since. */
export interface UnreportedCharge {
  readonly environment: Environment
  readonly transactionCode: string
  readonly accountId: string
  readonly chargedAtMs: number
}

const of = expressionBuilder<VaultTables, 'unheard_charges'>()

/** A notice of the approval, or of the capture. */
function hasNotice(): Expression<SqlBool> {
  return of.exists(
    of
      .selectFrom('card_events')
      .select('card_events.id')
      .whereRef('card_events.transaction_code', '=', 'unheard_charges.transaction_code')
      .whereRef('card_events.environment', '=', 'unheard_charges.environment')
      .where('card_events.change', 'in', ['approved', 'captured']),
  )
}

/** Records the charges among these that have no notice. */
export async function recordUnreported(
  trx: VaultConnection,
  charges: readonly ChargeToRead[],
): Promise<void> {
  if (charges.length === 0) return
  await trx
    .insertInto('unheard_charges')
    .values(
      charges.map(({ key, accountId, approvedAtMs }) => ({
        transaction_code: Number(key.transactionCode),
        environment: key.environment,
        account_id: accountId,
        charged_at_ms: approvedAtMs,
      })),
    )
    .onConflict((conflict) => conflict.columns(['transaction_code', 'environment']).doNothing())
    .execute()
  await trx.deleteFrom('unheard_charges').where(hasNotice()).execute()
}

const NOTED_FOR_MS = 30 * DAY_MS

/** Removes charges with a notice, and old ones. */
export async function forgetReported(database: VaultDatabase, nowMs: number): Promise<void> {
  await forgetAll(database, {
    table: 'unheard_charges',
    key: ['transaction_code', 'environment'],
    where: (row) => row.or([hasNotice(), row('charged_at_ms', '<', nowMs - NOTED_FOR_MS)]),
  })
}

export async function countUnreported(
  reader: VaultConnection,
): Promise<Readonly<Record<Environment, number>>> {
  const rows = await reader
    .selectFrom('unheard_charges')
    .select(['environment', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('environment')
    .execute()
  return byEnvironment(rows)
}

const LISTED = 1000

/** Oldest first. */
export async function unreportedCharges(
  reader: VaultConnection,
): Promise<readonly UnreportedCharge[]> {
  const rows = await reader
    .selectFrom('unheard_charges')
    .selectAll()
    .orderBy('charged_at_ms')
    .orderBy('transaction_code')
    .limit(LISTED)
    .execute()
  return rows.map((row) => ({
    environment: row.environment,
    transactionCode: String(row.transaction_code),
    accountId: row.account_id,
    chargedAtMs: row.charged_at_ms,
  }))
}
