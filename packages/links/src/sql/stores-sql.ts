import type { GatewayTables } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { createSqlCardCounts, createSqlCardPauseStore } from './card-pause-store-sql.js'
import { createSqlLinkLookup } from './link-lookup-sql.js'
import type { RoomTables } from './link-tables.js'
import { createSqlLinkTryStore, createSqlTryAddresses } from './link-try-store-sql.js'
import { createSqlPaymentLinkStore } from './payment-link-store-sql.js'

export function storesOf(database: Database<GatewayTables>) {
  // The gateway's migrations make the room's tables.
  const own = database as unknown as Database<RoomTables>
  return {
    paymentLinks: createSqlPaymentLinkStore(own),
    linkLookup: createSqlLinkLookup(own),
    linkTries: createSqlLinkTryStore(own),
    tryAddresses: createSqlTryAddresses(own),
    cardPauses: createSqlCardPauseStore(own),
    cardCounts: createSqlCardCounts(own),
  }
}
