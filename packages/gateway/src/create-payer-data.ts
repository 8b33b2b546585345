import type { Database } from '@cofre/sql'
import { eraseBoletoPayers } from './ledger/transaction/boleto-payer-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { eraseRefundNotes } from './ledger/refund/refund-sql.js'
import type { ErasesPayer } from './ledger/transaction/erases-payer.js'
import { createSqlPayerData } from './ledger/transaction/payer-data-sql.js'

/**
 * What is kept of people who pay.
 * @param rooms - Erase what rooms keep of them.
 */
export function createPayerData(
  database: Database<GatewayTables>,
  rooms: readonly ErasesPayer[] = [],
) {
  return createSqlPayerData(database, [eraseBoletoPayers, eraseRefundNotes, ...rooms])
}
