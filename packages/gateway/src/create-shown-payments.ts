import type { Database } from '@cofre/sql'
import { createPageParts } from './create-payment-parts.js'
import { createSqlCardChangeStore } from './ledger/card/card-change-store-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { createSqlRefundStore } from './ledger/refund/refund-store-sql.js'
import { createSqlTransactionStore } from './ledger/transaction/transaction-store-sql.js'
import type { PagePart } from './model/back-office/payment-part.js'
import { type ShownPayments, shownPaymentsOf } from './payment/desk-service.js'

/**
 * Payments of every store, for processes beside those that serve them.
 * @param ofRooms - Parts that rooms add to the payments' pages.
 */
export function createShownPayments(
  database: Database<GatewayTables>,
  ofRooms: readonly PagePart[],
): ShownPayments {
  return shownPaymentsOf({
    transactions: createSqlTransactionStore(database, []),
    refunds: createSqlRefundStore(database),
    pageParts: createPageParts(createSqlCardChangeStore(database), ofRooms),
  })
}
