import type { Clock, Environment, TransactionStatus } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { type GatewayApi, createGatewayApi } from './api/gateway-api.js'
import { type BackOffice, createBackOffice } from './back-office/back-office-service.js'
import { createSqlBackOfficeStore } from './ledger/back-office/back-office-store-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { createSqlIdempotencyStore } from './ledger/idempotency/idempotency-store-sql.js'
import { createSqlMerchantStore } from './ledger/merchant/merchant-store-sql.js'
import { type SecretKey, createSecretWrapping } from './ledger/merchant/secret-wrapping.js'
import { createSqlNotificationStore } from './ledger/notification/notification-store-sql.js'
import { createSqlRefundStore } from './ledger/refund/refund-store-sql.js'
import { createSqlTransactionStore } from './ledger/transaction/transaction-store-sql.js'
import { createSqlUnderReviewStore } from './ledger/transaction/under-review-store-sql.js'
import type { GatewayDeps } from './model/gateway-deps.js'
import type { Merchant } from './model/merchant/merchant.js'
import type { NotificationStore } from './model/notification/notification-store.js'
import { createStoreShares } from './model/notification/store-shares.js'
import type { WaitingWallet } from './model/payment-rail/waiting-wallet.js'
import { hasBeenPaid } from './model/transaction/transaction.js'
import type { UnderReviewStore } from './model/transaction/under-review-store.js'
import { recordStatus } from './payment/card-activation-service.js'
import { findWallet } from './payment/payer-page-service.js'
import { boundedRails } from './payment/rail-payment-service.js'
import { type WatchedWorker, startWorker } from './worker/worker-service.js'

/** What a gateway is made of. */
export interface GatewayOptions extends Omit<
  GatewayDeps,
  'transactions' | 'refunds' | 'merchants' | 'idempotency' | 'notifications' | 'shares'
> {
  readonly database: Database<GatewayTables>
  /** The first key wraps the stores' secrets; the others open what they wrapped before. */
  readonly secretKeys: readonly [SecretKey, ...SecretKey[]]
  /** Milliseconds that a bank or wallet has to answer; default 20,000. */
  readonly railTimeoutMs?: number
}

/** The gateway of one environment. */
export interface Gateway {
  readonly environment: Environment
  /** The environment's own time. */
  readonly clock: Clock
  /** For {@link createGatewayRoutes}. */
  readonly api: GatewayApi
  /** What waits in the outbox, by store. */
  backlog(): ReturnType<NotificationStore['backlog']>
  /** Creates the store of the configuration, or replaces the one of that id. */
  saveMerchant(merchant: Merchant): Promise<void>
  /**
   * Wraps by the first key every secret that another key wrapped, or none. To be called before the
   * gateway serves. Returns how many it wrapped.
   * @throws StoreSecretError when a secret's key is missing
   */
  rewrapSecrets(): Promise<number>
  /** What an operator, or in the sandbox a store's developer, sees and does. */
  readonly backOffice: BackOffice
  /** Transactions whose outcome is not known yet. */
  readonly underReview: UnderReviewStore
  /** Starts notifications, refunds, open intents, card activations and expiries. */
  startWorker(): WatchedWorker
  /** The wallet payment of a public address; undefined when there is none. */
  findWallet(publicId: string): Promise<WaitingWallet | undefined>
  /** Moves the transaction of a public address to a status it may go to; returns how it then is. */
  recordStatus(publicId: string, to: TransactionStatus): Promise<{ readonly isPaid: boolean }>
}

/** Puts a gateway together over its database. */
export function createGateway(options: GatewayOptions): Gateway {
  return gatewayOf(gatewayParts(options))
}

/** What use cases and the worker are made with, and the database. */
export type GatewayParts = GatewayDeps & Pick<GatewayOptions, 'database'>

/** The parts of a gateway. For {@link gatewayOf}, and for tests of use cases. */
export function gatewayParts({
  secretKeys,
  railTimeoutMs,
  ...options
}: GatewayOptions): GatewayParts {
  const { database, environment, machineClock: clock } = options
  const secrets = createSecretWrapping(environment, secretKeys)
  return {
    ...options,
    rails: boundedRails(options.rails, railTimeoutMs),
    merchants: createSqlMerchantStore({ database, clock, secrets }),
    transactions: createSqlTransactionStore(database),
    refunds: createSqlRefundStore(database),
    idempotency: createSqlIdempotencyStore(database),
    notifications: createSqlNotificationStore(database),
    shares: createStoreShares(),
  }
}

/** The gateway of these parts. */
export function gatewayOf(parts: GatewayParts): Gateway {
  const { database, merchants, transactions, notifications, environment, clock } = parts
  return {
    environment,
    clock,
    api: createGatewayApi(parts),
    backlog: () => notifications.backlog(),
    saveMerchant: (merchant) => merchants.save(merchant, 'start'),
    rewrapSecrets: () => merchants.rewrapSecrets(),
    backOffice: createBackOffice({ ...parts, backOffice: createSqlBackOfficeStore(database) }),
    underReview: createSqlUnderReviewStore(database),
    startWorker: () => startWorker(parts),
    findWallet: (publicId) => findWallet(parts, publicId),
    async recordStatus(publicId, to) {
      const found = await transactions.findByPublicId(publicId)
      if (found === undefined) return { isPaid: false }
      await recordStatus(parts, found.code, to)
      const current = await transactions.findByPublicId(publicId)
      return { isPaid: current !== undefined && hasBeenPaid(current) }
    },
  }
}
