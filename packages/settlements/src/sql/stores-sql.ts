import type { GatewayTables } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import type { SettlementFormats } from '../model/settlement-formats.js'
import { createSqlPixSettlements } from './pix-settlement-sql.js'
import { createSqlSettlementFileStore } from './settlement-file-store-sql.js'
import { createSqlSettlementLists } from './settlement-list-sql.js'
import { createSqlSettlementResolutions } from './settlement-resolution-sql.js'
import { createSqlSettlementWork } from './settlement-round-sql.js'
import type { RoomTables } from './settlement-tables.js'

interface StoreOptions {
  readonly database: Database<GatewayTables>
  readonly formats: SettlementFormats
}

export function storesOf({ database, formats }: StoreOptions) {
  // The gateway's migrations make the room's tables.
  const own = database as unknown as Database<RoomTables>
  return {
    settlementFiles: createSqlSettlementFileStore(own),
    settlementLists: createSqlSettlementLists(own),
    settlementResolutions: createSqlSettlementResolutions(own),
    settlementWork: createSqlSettlementWork(own, formats),
    pixSettlements: createSqlPixSettlements(own),
  }
}
