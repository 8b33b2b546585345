import type { Clock, Environment, TransactionStatus } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { GatewayApi } from './api/gateway-api.js'
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
import type { Merchant } from './model/merchant/merchant.js'
import type { NotificationStore } from './model/notification/notification-store.js'
import { createStoreShares } from './model/notification/store-shares.js'
import type { WaitingWallet } from './model/payment-rail/waiting-wallet.js'
import { hasBeenPaid } from './model/transaction/transaction.js'
import type { UnderReviewStore } from './model/transaction/under-review-store.js'
import { type AuthenticationDeps, authenticate } from './payment/authentication-service.js'
import { boundedRails } from './payment/bounded-rails.js'
import { type IdempotencyDeps, answerOnce } from './payment/idempotency-service.js'
import { findBoleto, findPix, findWallet } from './payment/payer-page-service.js'
import {
  type RefundDeps,
  createRefund,
  createRefundFor,
  readRefundRequest,
} from './payment/refund-service.js'
import { type SearchDeps, searchOne, searchTransactions } from './payment/search-service.js'
import { recordStatus } from './payment/status-service.js'
import { type TransactionDeps, createTransaction } from './payment/transaction-service.js'
import { type WatchedWorker, type WorkerDeps, startWorker } from './worker/worker-service.js'

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
  readonly environment: Environment
  /** The environment's own time. */
  readonly clock: Clock
  /** For {@link createGatewayRoutes}. */
  readonly api: GatewayApi
  /** What waits in the outbox, by store. */
  backlog(): ReturnType<NotificationStore['backlog']>
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
export function createGateway(options: GatewayOptions): Gateway {
  return gatewayOf(gatewayParts(options))
}

/** What use cases and the worker are made with. */
export type GatewayParts = Deps & { readonly database: Database<GatewayTables> }

/** The stores of a gateway over its database, and what it was given. For {@link gatewayOf}, and for tests of use cases. */
export function gatewayParts({ secretKeys, ...options }: GatewayOptions): GatewayParts {
  const { database } = options
  const merchants = createSqlMerchantStore({
    database,
    clock: options.machineClock,
    secrets: createSecretWrapping(options.environment, secretKeys),
  })
  return {
    ...options,
    merchants,
    rails: boundedRails(options.rails, options.railTimeoutMs),
    transactions: createSqlTransactionStore(database),
    refunds: createSqlRefundStore(database),
    idempotency: createSqlIdempotencyStore(database),
    notifications: createSqlNotificationStore(database),
    shares: createStoreShares(),
  }
}

/** The gateway of these parts. */
export function gatewayOf(parts: GatewayParts): Gateway {
  const { database, merchants, transactions } = parts
  return {
    environment: parts.environment,
    clock: parts.clock,
    api: apiOf(parts),
    backlog: () => parts.notifications.backlog(),
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

function apiOf(parts: GatewayParts): GatewayApi {
  return {
    authenticate: (authorization, request) => authenticate(parts, authorization, request),
    answerOnce: (request, answer) => answerOnce(parts, request, answer),
    createTransaction: (merchant, request) => createTransaction(parts, merchant, request),
    searchTransactions: (merchant, query) => searchTransactions(parts, merchant, query),
    searchOne: (merchant, code) => searchOne(parts, merchant, code),
    readRefundRequest: (json, merchant) => readRefundRequest(json, parts.requestPolicy, merchant),
    createRefund: (merchant, request) => createRefund(parts, merchant, request),
    createRefundFor: (merchantId, request) => createRefundFor(parts, merchantId, request),
    findBoleto: (publicId) => findBoleto(parts, publicId),
    findPix: (publicId) => findPix(parts, publicId),
    installmentTerms: parts.installmentTerms,
    log: parts.log,
  }
}
