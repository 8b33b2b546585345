import { prepare } from '@cofre/sql'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { forgetAll } from '@cofre/work'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type { CountedDecline } from './card-testing.js'

export interface DeclinesSince {
  readonly fingerprint: string
  readonly sinceMs: number
}

function declinesSince(db: VaultConnection, { fingerprint, sinceMs }: DeclinesSince) {
  return db
    .selectFrom('card_declines')
    .where('fingerprint', '=', fingerprint)
    .where('declined_at_ms', '>', sinceMs)
}

const selectDeclines = prepare((db: VaultConnection, since: DeclinesSince) =>
  declinesSince(db, since).select(['declined_at_ms', 'is_final', 'waits_until_ms']),
)

/** The condition that a card was not declined at a store since the given time. */
export function hasNoDecline(db: VaultConnection, since: DeclinesSince): RawBuilder<SqlBool> {
  return sql`not exists ${declinesSince(db, since).select('transaction_code')}`
}

/** The declines of a card at a store since the given time. */
export async function findDeclines(
  db: VaultConnection,
  since: DeclinesSince,
): Promise<readonly CountedDecline[]> {
  const { rows } = await db.run(selectDeclines(since))
  return rows.map((row) => ({
    atMs: row.declined_at_ms,
    isFinal: row.is_final === 1,
    waitsUntilMs: row.waits_until_ms ?? undefined,
  }))
}

export async function insertDecline(
  trx: VaultConnection,
  decline: VaultTables['card_declines'],
): Promise<void> {
  await trx
    .insertInto('card_declines')
    .values(decline)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function eraseDeclines(database: VaultDatabase, untilMs: number): Promise<void> {
  await forgetAll(database, {
    table: 'card_declines',
    key: ['fingerprint', 'declined_at_ms', 'transaction_code'],
    where: (of) => of('declined_at_ms', '<=', untilMs),
  })
}
