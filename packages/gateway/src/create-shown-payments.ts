import type { Database } from '@cofre/sql'
import { createPageParts } from './create-payment-parts.js'
import { removeCharge } from './ledger/bank-charge/charge-intent-sql.js'
import { createSqlBankChargeStore } from './ledger/bank-charge/bank-charge-store-sql.js'
import { createSqlCardChangeStore } from './ledger/card/card-change-store-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { createSqlRefundStore } from './ledger/refund/refund-store-sql.js'
import { createSqlTransactionStore } from './ledger/transaction/transaction-store-sql.js'
import { type ShownPayments, shownPaymentsOf } from './payment/desk-service.js'

/** Payments of every store, beside the processes that serve them. */
export function createShownPayments(database: Database<GatewayTables>): ShownPayments {
  return shownPaymentsOf({
    transactions: createSqlTransactionStore(database, [removeCharge]),
    refunds: createSqlRefundStore(database),
    pageParts: createPageParts({
      bankCharges: createSqlBankChargeStore(database),
      cardChanges: createSqlCardChangeStore(database),
    }),
  })
}
