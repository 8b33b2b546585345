import type { Clock } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import { interestText } from '../../model/card/store-interest.js'
import { type GatewayTables, storedChange, storedSettings } from '../database/gateway-tables.js'
import type {
  MerchantSettings,
  SettingValue,
  StoreActor,
  StoreChange,
} from '../../model/merchant/merchant.js'

export interface ChangesQuery {
  /** Without it, all stores. */
  readonly id?: string | undefined
  readonly limit: number
}

/** The settings that differ, by name. */
export function differences(
  before: Partial<MerchantSettings>,
  after: MerchantSettings,
): StoreChange['settings'] {
  return Object.fromEntries(
    storedSettings.fields
      .filter((name) => !isSame(shown(before, name), shown(after, name)))
      .map((name) => {
        const from = shown(before, name)
        return [name, { ...(from !== undefined && { from }), to: shown(after, name) ?? null }]
      }),
  )
}

/** A setting as the log shows it. */
function shown(
  settings: Partial<MerchantSettings>,
  name: keyof MerchantSettings,
): SettingValue | undefined {
  return name === 'interest' ? settings.interest?.map(interestText) : settings[name]
}

function isSame(before: SettingValue | undefined, after: SettingValue | undefined): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

/**
 * Appends a change of a store, in the unit of work that makes it, after that has locked the store's
 * row. No statement changes or deletes an appended row.
 */
export async function insertStoreChange(
  trx: Connection<GatewayTables>,
  { storeId, action, settings }: Pick<StoreChange, 'storeId' | 'action' | 'settings'>,
  { clock, actor }: { readonly clock: Clock; readonly actor: StoreActor },
): Promise<void> {
  const last = await trx
    .selectFrom('store_changes')
    .select('position')
    .where('merchant_id', '=', storeId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  await trx
    .insertInto('store_changes')
    .values(
      storedChange.rowOf({
        storeId,
        position: (last?.position ?? 0) + 1,
        atMs: clock.now(),
        actor,
        action,
        settings,
      }),
    )
    .execute()
}

/** The latest changes, the newest first. */
export async function listStoreChanges(
  reader: Connection<GatewayTables>,
  { id, limit }: ChangesQuery,
): Promise<readonly StoreChange[]> {
  const rows = await reader
    .selectFrom('store_changes')
    .selectAll()
    .$if(id !== undefined, (changes) => changes.where('merchant_id', '=', id ?? ''))
    .orderBy('at', 'desc')
    .orderBy('merchant_id')
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
  return rows.map(storedChange.read)
}
