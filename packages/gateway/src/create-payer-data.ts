import type { Database } from '@cofre/sql'
import { eraseBoletoPayers } from './ledger/bank-charge/boleto-payer-sql.js'
import { eraseInstructedPayers } from './ledger/boleto-file/instruction-store-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { eraseRefundNotes } from './ledger/refund/refund-sql.js'
import { unindexPayers } from './ledger/search/payment-index-sql.js'
import { createSqlPayerData } from './ledger/transaction/payer-data-sql.js'

/** What is kept of people who pay, in the core and in each room. */
export function createPayerData(database: Database<GatewayTables>) {
  return createSqlPayerData(database, [
    eraseBoletoPayers,
    eraseInstructedPayers,
    unindexPayers,
    eraseRefundNotes,
  ])
}
