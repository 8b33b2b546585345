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

/** A store's settings, for each environment whose gateway has sent some. */
export async function findFieldSettings(
  db: VaultConnection,
  storeId: string,
): Promise<readonly FieldSettings[]> {
  return (await db.run(findRows({ storeId }))).rows.map(settingsOf)
}

/** From here on, processes that set a store's settings take turns. */
export async function lockFieldSettings(
  trx: VaultConnection,
  { environment, storeId }: Pick<FieldSettings, 'environment' | 'storeId'>,
): Promise<void> {
  await trx.run(namedLock(`field settings ${environment} ${storeId}`))
}

/** Creates or replaces a store's settings. */
export async function storeFieldSettings(
  trx: VaultConnection,
  { environment, storeId, revision, origins, showsBin }: FieldSettings,
): Promise<void> {
  const columns = {
    revision,
    origins: JSON.stringify(origins),
    shows_bin: showsBin ? 1 : 0,
  } as const
  await trx
    .insertInto('store_field_settings')
    .values({ store_id: storeId, environment, ...columns })
    .onConflict((conflict) => conflict.columns(['store_id', 'environment']).doUpdateSet(columns))
    .execute()
}

/** Validated again when read: they go into a header. */
function settingsOf(row: FieldSettingsRow): FieldSettings {
  return fieldSettingsSchema.parse({
    environment: row.environment,
    storeId: row.store_id,
    revision: row.revision,
    origins: JSON.parse(row.origins) as unknown,
    showsBin: row.shows_bin === 1,
  })
}
