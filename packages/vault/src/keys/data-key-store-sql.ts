import type { Connection } from '@cofre/sql'
import { sql } from 'kysely'
import type { VaultTables } from '../vault-tables.js'
import type { HourlyPurpose, WrappedDataKey } from './data-key.js'
import type { DataKeyStore } from './data-key-store.js'

const HOURLY_PURPOSES: readonly HourlyPurpose[] = ['sessions', 'direct-tokens', 'authorizations']

export function createDataKeyStore(trx: Connection<VaultTables>): DataKeyStore {
  return {
    async find(scope) {
      const row = await trx
        .selectFrom('data_keys')
        .selectAll()
        .where('scope', '=', scope)
        .executeTakeFirst()
      return row && wrappedDataKey(row)
    },

    async findById(id) {
      const row = await trx
        .selectFrom('data_keys')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && wrappedDataKey(row)
    },

    async all() {
      const rows = await trx.selectFrom('data_keys').selectAll().orderBy('scope').execute()
      return rows.map(wrappedDataKey)
    },

    async insertIfAbsent({ id, scope, wrappedKey, createdAtMs, wrappedAtMs }) {
      await trx
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
    },

    async rewrap(from, { id, wrappedKey, wrappedAtMs }) {
      const { numUpdatedRows } = await trx
        .updateTable('data_keys')
        .set({ wrapped_key: wrappedKey, wrapped_at_ms: wrappedAtMs })
        .where('id', '=', id)
        .where('wrapped_key', '=', from)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    eraseHourly: (createdBeforeMs) => eraseHourly(trx, createdBeforeMs),
  }
}

async function eraseHourly(trx: Connection<VaultTables>, createdBeforeMs: number): Promise<void> {
  await trx
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
