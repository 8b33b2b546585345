import type { Database } from '@cofre/sql'
import type { AuthenticationDeps } from './authentication/authentication-service.js'
import type { GatewayTables } from './database/gateway-tables.js'
import type { Merchant } from './merchant/merchant.js'
import { createSqlMerchantStore } from './merchant/merchant-store-sql.js'
import { createSqlTransactionStore } from './transaction/transaction-store-sql.js'
import type { TransactionDeps } from './transaction/transaction-service.js'

/** What a gateway is made of. */
export interface GatewayOptions
  extends Omit<TransactionDeps, 'transactions'>, Omit<AuthenticationDeps, 'merchants'> {
  readonly database: Database<GatewayTables>
}

/** The gateway of one environment. */
export interface Gateway {
  /** For {@link createGatewayRoutes}. */
  readonly deps: TransactionDeps & AuthenticationDeps
  /** Creates a store, or replaces the one of that id. */
  saveMerchant(merchant: Merchant): Promise<void>
}

/** Puts a gateway together over its database. */
export function createGateway({ database, ...options }: GatewayOptions): Gateway {
  const merchants = createSqlMerchantStore(database, options.clock)
  const transactions = createSqlTransactionStore(database)
  return {
    deps: { ...options, merchants, transactions },
    saveMerchant: (merchant) => merchants.save(merchant),
  }
}
