import { sql } from 'kysely'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type { SealedText } from '../keys/sealed-value.js'
import type { HourlyPurpose, WrappedDataKey } from './data-key.js'

const HOURLY_PURPOSES: readonly HourlyPurpose[] = ['sessions', 'direct-tokens', 'authorizations']

export async function findDataKey(
  unit: VaultConnection,
  by: Partial<Pick<WrappedDataKey, 'id' | 'scope'>>,
): Promise<WrappedDataKey | undefined> {
  const row = await unit
    .selectFrom('data_keys')
    .selectAll()
    .where((key) => key.and(by))
    .executeTakeFirst()
  return row && wrappedDataKey(row)
}

export async function allDataKeys(unit: VaultConnection): Promise<readonly WrappedDataKey[]> {
  const rows = await unit.selectFrom('data_keys').selectAll().orderBy('scope').execute()
  return rows.map(wrappedDataKey)
}

/** Stores the key unless its scope has one: of concurrent callers, exactly one key stays. */
export async function insertDataKeyIfAbsent(
  unit: VaultConnection,
  { id, scope, wrappedKey, createdAtMs, wrappedAtMs }: WrappedDataKey,
): Promise<void> {
  await unit
    .insertInto('data_keys')
    .values({
      id,
      scope,
      wrapped_key: wrappedKey,
      created_at_ms: createdAtMs,
      wrapped_at_ms: wrappedAtMs,
    })
    .onConflict((conflict) => conflict.column('scope').doNothing())
    .execute()
}

/** Replaces the wrapping of a key; false when it is no longer `from`. */
export async function rewrapDataKey(
  unit: VaultConnection,
  from: SealedText,
  { id, wrappedKey, wrappedAtMs }: WrappedDataKey,
): Promise<boolean> {
  const { numUpdatedRows } = await unit
    .updateTable('data_keys')
    .set({ wrapped_key: wrappedKey, wrapped_at_ms: wrappedAtMs })
    .where('id', '=', id)
    .where('wrapped_key', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Erases the hourly keys created before, except those that sealed the card of an open authorization. */
export async function eraseHourlyKeys(
  unit: VaultConnection,
  createdBeforeMs: number,
): Promise<void> {
  await unit
    .deleteFrom('data_keys')
    .where('created_at_ms', '<', createdBeforeMs)
    .where((scope) =>
      scope.or(HOURLY_PURPOSES.map((purpose) => scope('scope', 'like', `${purpose}%`))),
    )
    .where((key) =>
      key.not(
        key.exists(
          key
            .selectFrom('authorizations')
            .select('transaction_code')
            .where('sealed_card', 'is not', null)
            .where(sql<boolean>`sealed_card like 'v1.' || data_keys.id || '.%'`),
        ),
      ),
    )
    .execute()
}

function wrappedDataKey(row: VaultTables['data_keys']): WrappedDataKey {
  return {
    id: row.id,
    scope: row.scope,
    wrappedKey: row.wrapped_key,
    createdAtMs: row.created_at_ms,
    wrappedAtMs: row.wrapped_at_ms,
  }
}
