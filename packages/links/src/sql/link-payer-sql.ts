import type { ErasesPayer } from '@cofre/gateway/room'
import type { Connection } from '@cofre/sql'
import type { RoomTables } from './link-tables.js'

/**
 * Erases the metadata of links for one payment, which may name its payer. A link that many people
 * pay keeps its own: it is no single payer's.
 */
export const eraseLinkMetadata: ErasesPayer = async (trx, codes) => {
  const own: Connection<RoomTables> = trx
  const tries = await own
    .selectFrom('payment_link_tries')
    .select('link_id')
    .where('transaction_code', 'in', codes)
    .execute()
  if (tries.length === 0) return
  await own
    .updateTable('payment_links')
    .set({ metadata: null })
    .where('id', 'in', [...new Set(tries.map(({ link_id: id }) => id))])
    .where('usage', '=', 'once')
    .where('metadata', 'is not', null)
    .execute()
}
