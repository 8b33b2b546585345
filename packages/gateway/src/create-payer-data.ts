import type { Database } from '@cofre/sql'
import { eraseBoletoPayers } from './ledger/transaction/boleto-payer-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { eraseRefundTexts } from './ledger/refund/refund-sql.js'
import type { ErasesPayer } from './ledger/transaction/erases-payer.js'
import { createSqlPayerData } from './ledger/transaction/payer-data-sql.js'

/**
 * Stored data of payers.
 * @param rooms - Erase the data that rooms store.
 */
export function createPayerData(
  database: Database<GatewayTables>,
  rooms: readonly ErasesPayer[] = [],
) {
  return createSqlPayerData(database, [eraseBoletoPayers, eraseRefundTexts, ...rooms])
}
