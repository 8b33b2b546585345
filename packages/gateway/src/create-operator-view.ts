import type { Database } from '@cofre/sql'
import { detailsOf } from './back-office/back-office-service.js'
import { createPageParts } from './create-payment-parts.js'
import { createSqlBackOfficeStore } from './ledger/back-office/back-office-store-sql.js'
import { createSqlCardChangeStore } from './ledger/card/card-change-store-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { removeCharge } from './ledger/bank-charge/charge-intent-sql.js'
import { createSqlBankChargeStore } from './ledger/bank-charge/bank-charge-store-sql.js'
import { createSqlRefundStore } from './ledger/refund/refund-store-sql.js'
import {
  type TransactionsQuery,
  listTransactions,
} from './ledger/transaction/transaction-list-sql.js'
import { createSqlTransactionStore } from './ledger/transaction/transaction-store-sql.js'
import type { TransactionDetails } from './model/back-office/back-office.js'
import { mayBeWithdrawn, transactionCodeSchema } from './model/transaction/transaction.js'

/** What an operator sees of every store's transactions, beside the processes that serve them. */
export function createOperatorView(database: Database<GatewayTables>) {
  const transactions = createSqlTransactionStore(database, [removeCharge])
  const parts = {
    backOffice: createSqlBackOfficeStore(database),
    refunds: createSqlRefundStore(database),
    pageParts: createPageParts({
      bankCharges: createSqlBankChargeStore(database),
      cardChanges: createSqlCardChangeStore(database),
    }),
  }
  return {
    /** The newest first. */
    list: (query: TransactionsQuery) => listTransactions(database.reader, query),

    /** Orders whose requests were not answered, and which may be withdrawn. */
    undecided: (limit: number) => transactions.undecided(limit),

    /** A transaction with everything that happened to it; undefined when there is none. */
    async find(codeText: string): Promise<TransactionDetails | undefined> {
      const code = transactionCodeSchema.safeParse(codeText)
      const found = code.success ? await transactions.findByCode(code.data) : undefined
      if (found === undefined || mayBeWithdrawn(found)) return undefined
      return await detailsOf(parts, found)
    },
  }
}
