import { type FieldSettings, fieldSettingsSchema } from '@cofre/contracts'
import { namedLock, prepare } from '@cofre/sql'
import type { VaultConnection } from '../database/vault-database.js'
import type { FieldSettingsRow } from '../database/vault-tables.js'

const findRows = prepare((db: VaultConnection, { storeId }: { readonly storeId: string }) =>
  db
    .selectFrom('store_field_settings')
    .select(['store_id', 'environment', 'revision', 'origins', 'shows_bin'])
    .where('store_id', '=', storeId),
)

/** The settings of a store, of each environment whose gateway has told some. */
export async function findFieldSettings(
  db: VaultConnection,
  storeId: string,
): Promise<readonly FieldSettings[]> {
  return (await db.run(findRows({ storeId }))).rows.map(settingsOf)
}

/** Those who set a store's settings take turns from here on. */
export async function lockFieldSettings(
  trx: VaultConnection,
  { environment, storeId }: Pick<FieldSettings, 'environment' | 'storeId'>,
): Promise<void> {
  await trx.run(namedLock(`field settings ${environment} ${storeId}`))
}

/** Creates the settings of a store, or replaces them. */
export async function storeFieldSettings(
  trx: VaultConnection,
  { environment, storeId, revision, origins, showsBin }: FieldSettings,
): Promise<void> {
  const told = { revision, origins: JSON.stringify(origins), shows_bin: showsBin ? 1 : 0 } as const
  await trx
    .insertInto('store_field_settings')
    .values({ store_id: storeId, environment, ...told })
    .onConflict((conflict) => conflict.columns(['store_id', 'environment']).doUpdateSet(told))
    .execute()
}

/** Judged when they are read, too: they go into a header. */
function settingsOf(row: FieldSettingsRow): FieldSettings {
  return fieldSettingsSchema.parse({
    environment: row.environment,
    storeId: row.store_id,
    revision: row.revision,
    origins: JSON.parse(row.origins) as unknown,
    showsBin: row.shows_bin === 1,
  })
}
