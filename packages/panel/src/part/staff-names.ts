import type { PanelParts } from '../visit/panel-parts.js'
import type { Visit } from '../visit/visit.js'

/** Names of the store's people, by the actor that lists store. */
export async function staffNames(
  { people }: PanelParts,
  { environment, storeId }: Pick<Visit, 'environment' | 'storeId'>,
): Promise<ReadonlyMap<string, string>> {
  const staffs = await Promise.all([
    people?.staff.members(storeId),
    environment === 'sandbox' ? people?.staff.members(storeId, 'sandbox') : undefined,
  ])
  return new Map(
    staffs.flatMap((staff) => staff ?? []).map(({ id, name }) => [`person:${id}`, name]),
  )
}
