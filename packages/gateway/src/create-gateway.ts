import type { TransactionStatus } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { AuthenticationDeps } from './payment/authentication-service.js'
import { type BackOffice, createBackOffice } from './back-office/back-office-service.js'
import { createSqlBackOfficeStore } from './ledger/back-office/back-office-store-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import type { IdempotencyDeps } from './payment/idempotency-service.js'
import { createSqlIdempotencyStore } from './ledger/idempotency/idempotency-store-sql.js'
import type { Merchant } from './model/merchant/merchant.js'
import { createSqlNotificationStore } from './ledger/notification/notification-store-sql.js'
import { createStoreShares } from './model/notification/store-shares.js'
import { type WatchedWorker, type WorkerDeps, startWorker } from './worker/worker-service.js'
import { createSqlMerchantStore } from './ledger/merchant/merchant-store-sql.js'
import { type SecretKey, createSecretWrapping } from './ledger/merchant/secret-wrapping.js'
import { boundedRails } from './payment/bounded-rails.js'
import type { RefundDeps } from './payment/refund-service.js'
import { createSqlRefundStore } from './ledger/refund/refund-store-sql.js'
import type { SearchDeps } from './payment/search-service.js'
import { findWallet } from './payment/payer-page-service.js'
import type { WaitingWallet } from './model/payment-rail/waiting-wallet.js'
import { recordStatus } from './payment/status-service.js'
import { hasBeenPaid } from './model/transaction/transaction.js'
import { createSqlTransactionStore } from './ledger/transaction/transaction-store-sql.js'
import type { TransactionDeps } from './payment/transaction-service.js'
import type { UnderReviewStore } from './model/transaction/under-review-store.js'
import { createSqlUnderReviewStore } from './ledger/transaction/under-review-store-sql.js'

type Deps = TransactionDeps &
  RefundDeps &
  SearchDeps &
  IdempotencyDeps &
  AuthenticationDeps &
  WorkerDeps

/** What a gateway is made of. */
export interface GatewayOptions extends Omit<
  Deps,
  'transactions' | 'refunds' | 'merchants' | 'idempotency' | 'notifications' | 'shares'
> {
  readonly database: Database<GatewayTables>
  /** Wrap the stores' secrets in the database: the first one; the others open what they wrapped before. */
  readonly secretKeys: readonly [SecretKey, ...SecretKey[]]
  /** Milliseconds that a bank or wallet has to answer; default 20,000. */
  readonly railTimeoutMs?: number
}

/** The gateway of one environment. */
export interface Gateway {
  /** For {@link createGatewayRoutes}. */
  readonly deps: Deps
  /** Creates the store that a start brings, or makes the one of that id so. */
  saveMerchant(merchant: Merchant): Promise<void>
  /**
   * Wraps by the first key what another has wrapped, or none. To be called before the gateway serves. Returns how many it wrapped.
   * @throws StoreSecretError when a secret's key is not here
   */
  rewrapSecrets(): Promise<number>
  /** What an operator, or in the sandbox a store's developer, sees and does. */
  readonly backOffice: BackOffice
  /** Transactions whose outcome is not known yet. */
  readonly underReview: UnderReviewStore
  /** Starts what must outlive a process: notifications, refunds, open intents, card activations, expiries. */
  startWorker(): WatchedWorker
  /** The wallet payment of a public address; undefined when there is none. */
  findWallet(publicId: string): Promise<WaitingWallet | undefined>
  /** Moves the transaction of a public address to a status, unless it may not go there, and tells how it then is. */
  recordStatus(publicId: string, to: TransactionStatus): Promise<{ readonly isPaid: boolean }>
}

/** Puts a gateway together over its database. */
export function createGateway({ database, secretKeys, ...options }: GatewayOptions): Gateway {
  const merchants = createSqlMerchantStore({
    database,
    clock: options.machineClock,
    secrets: createSecretWrapping(options.environment, secretKeys),
  })
  const transactions = createSqlTransactionStore(database)
  const refunds = createSqlRefundStore(database)
  const idempotency = createSqlIdempotencyStore(database)
  const notifications = createSqlNotificationStore(database)
  const rails = boundedRails(options.rails, options.railTimeoutMs)
  const deps = {
    ...options,
    rails,
    merchants,
    transactions,
    refunds,
    idempotency,
    notifications,
    shares: createStoreShares(),
  }
  const backOffice = createSqlBackOfficeStore(database)
  return {
    deps,
    saveMerchant: (merchant) => merchants.save(merchant, 'start'),
    rewrapSecrets: () => merchants.rewrapSecrets(),
    backOffice: createBackOffice({ ...deps, backOffice }),
    underReview: createSqlUnderReviewStore(database),
    startWorker: () => startWorker(deps),
    findWallet: (publicId) => findWallet(deps, publicId),
    async recordStatus(publicId, to) {
      const found = await transactions.findByPublicId(publicId)
      if (found === undefined) return { isPaid: false }
      await recordStatus(deps, found.code, to)
      const current = await transactions.findByPublicId(publicId)
      return { isPaid: current !== undefined && hasBeenPaid(current) }
    },
  }
}
