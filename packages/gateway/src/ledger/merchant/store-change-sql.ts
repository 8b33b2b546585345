import type { Clock } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import type { GatewayTables, StoreChangeRow } from '../database/gateway-tables.js'
import type { MerchantSettings, StoreActor, StoreChange } from '../../model/merchant/merchant.js'
import type { ChangesQuery } from '../../model/merchant/merchant-store.js'

/** What became different from one to the other, by setting. */
export function differences(
  before: Partial<MerchantSettings>,
  after: MerchantSettings,
): StoreChange['settings'] {
  const names = Object.keys(after) as (keyof MerchantSettings)[]
  return Object.fromEntries(
    names
      .filter((name) => before[name] !== after[name])
      .map((name) => {
        const from = before[name]
        return [name, { ...(from !== undefined && { from }), to: after[name] }]
      }),
  )
}

/**
 * Appends a change of a store, in the unit of work that makes it and after it has locked the
 * store's row. No statement changes or deletes what was appended.
 */
export async function keepStoreChange(
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
    .values({
      merchant_id: storeId,
      position: (last?.position ?? 0) + 1,
      at: clock.now(),
      actor,
      action,
      settings: JSON.stringify(settings),
    })
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
  return rows.map(changeOf)
}

function changeOf(row: StoreChangeRow): StoreChange {
  return {
    storeId: row.merchant_id,
    position: row.position,
    atMs: row.at,
    actor: row.actor,
    action: row.action,
    settings: JSON.parse(row.settings) as StoreChange['settings'],
  }
}
