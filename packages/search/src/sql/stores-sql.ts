import type { GatewayTables } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { createSqlFiguresStore } from './figures-store-sql.js'
import { createSqlPaymentSearchStore } from './payment-search-store-sql.js'
import { createSqlSearchIndexStore } from './search-index-store-sql.js'

export function storesOf(database: Database<GatewayTables>) {
  return {
    figures: createSqlFiguresStore(database),
    paymentSearch: createSqlPaymentSearchStore(database),
    searchIndex: createSqlSearchIndexStore(database),
  }
}
