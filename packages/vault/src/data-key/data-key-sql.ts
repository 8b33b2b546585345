import { sql } from 'kysely'
import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type { SealedText } from '../keys/sealed-value.js'

/** A data key at rest: wrapped by a key-encryption key. */
export type DataKeyRow = VaultTables['data_keys']

/**
 * Short-lived data, with CVVs among it. A data key seals it for one hour only, and is erased when
 * none of it is left. From then on, its remains in journals and backups can only be opened with a
 * key-encryption key of that time.
 */
export const HOURLY_PURPOSES = ['sessions', 'direct-tokens', 'authorizations'] as const

export async function findDataKey(
  db: VaultConnection,
  by: Partial<Pick<DataKeyRow, 'id' | 'scope'>>,
): Promise<DataKeyRow | undefined> {
  return await db
    .selectFrom('data_keys')
    .selectAll()
    .where((key) => key.and(by))
    .executeTakeFirst()
}

export async function allDataKeys(db: VaultConnection): Promise<readonly DataKeyRow[]> {
  return await db.selectFrom('data_keys').selectAll().orderBy('scope').execute()
}

/** Stores the key unless its scope has one: among concurrent callers, exactly one key stays. */
export async function insertDataKeyIfAbsent(db: VaultConnection, key: DataKeyRow): Promise<void> {
  await db
    .insertInto('data_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('scope').doNothing())
    .execute()
}

/** Replaces the wrapping of a key; false if it is no longer `from`. */
export async function rewrapDataKey(
  db: VaultConnection,
  from: SealedText,
  { id, wrapped_key, wrapped_at_ms }: DataKeyRow,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('data_keys')
    .set({ wrapped_key, wrapped_at_ms })
    .where('id', '=', id)
    .where('wrapped_key', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Erases the hourly keys that are older than the given time, except those that an open
 * authorization needs.
 */
export async function eraseHourlyKeys(db: VaultConnection, createdBeforeMs: number): Promise<void> {
  await db
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
